# What is compiled: every .pyx of the rules and of the wire becomes an extension module of the same dotted name.
include(UseCython)
include(CheckCCompilerFlag)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_C_FLAGS_RELEASE "-O3")

set(core_flags -fno-strict-aliasing -fwrapv)
# One instruction counts the cards of a mask; every x86-64 processor since 2009 has it.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  check_c_compiler_flag(-march=x86-64-v2 HAS_X86_64_V2)
  if(HAS_X86_64_V2)
    list(APPEND core_flags -march=x86-64-v2)
  endif()
endif()

file(GLOB_RECURSE core_sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} core_ext/*.pyx arena/*.pyx)
file(GLOB_RECURSE core_headers CONFIGURE_DEPENDS core_ext/*.pxd arena/*.pxd)
foreach(source IN LISTS core_sources)
  string(REGEX REPLACE "\\.pyx?$" "" stem ${source})
  string(REPLACE "/" "." module ${stem})
  string(REPLACE "/" "_" target ${stem})
  get_filename_component(folder ${source} DIRECTORY)
  get_filename_component(name ${stem} NAME)
  cython_transpile(${source}
    LANGUAGE C
    MODULE_NAME ${module}
    OUTPUT ${CMAKE_BINARY_DIR}/${target}.c
    OUTPUT_VARIABLE generated
    INCLUDE_DIRECTORIES ${CMAKE_SOURCE_DIR}
    CYTHON_ARGS -X annotation_typing=False
    DEPENDS ${core_headers})
  python_add_library(${target} MODULE ${generated} WITH_SOABI)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${folder})
  target_compile_options(${target} PRIVATE ${core_flags})
  install(TARGETS ${target} DESTINATION ${folder})
endforeach()
