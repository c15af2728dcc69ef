# The first process of a cage for a forked program: static, without a C library. Other machines have no cage.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|aarch64)$")
  add_executable(pause arena/launcher/cage/pause.c)
  target_compile_options(pause PRIVATE -ffreestanding -fno-stack-protector)
  target_link_options(pause PRIVATE -nostdlib -static)
  install(TARGETS pause DESTINATION arena/launcher/cage)
endif()
