# What stands at the beginning of a cage: static programs without a C library. Other machines have no cage.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|aarch64)$")
  foreach(program pause become stdio)
    add_executable(${program} arena/launcher/cage/${program}.c)
    target_compile_options(${program} PRIVATE -ffreestanding -fno-stack-protector)
    target_link_options(${program} PRIVATE -nostdlib -static)
    install(TARGETS ${program} DESTINATION arena/launcher/cage)
  endforeach()
endif()
