# Programs of the arena's own that end with it: the kernel does that on Linux alone.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  add_executable(bound arena/bound.c)
  install(TARGETS bound DESTINATION arena)
endif()
