# The wire: Python stubs from proto/, written into the tree (git ignores them) so that type checkers see them too.
set(proto_root ${CMAKE_SOURCE_DIR}/proto)
file(GLOB_RECURSE proto_files CONFIGURE_DEPENDS RELATIVE ${proto_root} ${proto_root}/*.proto)
if(proto_files)
  set(written_last ${CMAKE_SOURCE_DIR}/hanafuda/py.typed)
  list(TRANSFORM proto_files PREPEND ${proto_root}/ OUTPUT_VARIABLE proto_paths)
  add_custom_command(
    OUTPUT ${written_last}
    COMMAND ${Python_EXECUTABLE} ${CMAKE_SOURCE_DIR}/cmake/generate_stubs.py ${proto_root} ${CMAKE_SOURCE_DIR}
    DEPENDS ${proto_paths} ${CMAKE_SOURCE_DIR}/cmake/generate_stubs.py
    COMMENT "Generating gRPC stubs")
  # The numbers of the fields that arena/wire reads and writes by hand.
  set(wire_fields ${CMAKE_SOURCE_DIR}/arena/wire/fields.pxd)
  add_custom_command(
    OUTPUT ${wire_fields}
    COMMAND ${Python_EXECUTABLE} ${CMAKE_SOURCE_DIR}/cmake/generate_fields.py ${proto_root} ${wire_fields}
      PlayRequest Move PlayResponse Decision Clock Observation Zone Counter Event
    DEPENDS ${proto_paths} ${CMAKE_SOURCE_DIR}/cmake/generate_fields.py
    COMMENT "Generating the tags of messages' fields")
  add_custom_target(stubs ALL DEPENDS ${written_last})
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/hanafuda/ DESTINATION hanafuda FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
endif()
