# Programs of the arena's own that end with it: the kernel does that on Linux alone.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  add_executable(bound arena/bound.c)
  # Started by every C library where it can be static; what starts a program of a newer glibc is unknown to older ones.
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_LINK_OPTIONS -static)
  check_c_source_compiles("#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }" HAS_STATIC_C_LIBRARY)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
  if(HAS_STATIC_C_LIBRARY)
    target_link_options(bound PRIVATE -static -s)
  endif()
  install(TARGETS bound DESTINATION arena)
endif()
