# What is compiled: every .pyx of the rules and of the wire becomes an extension module of the same dotted name.
include(CheckCCompilerFlag)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# -O3 takes a third longer than -O2, and pays where matches are played.
set(CMAKE_C_FLAGS_RELEASE "-O2")
set(hot
  arena/strength/expert arena/strength/learning arena/strength/luck arena/strength/network
  arena/strength/opponents arena/strength/playouts arena/strength/policy
  core_ext/action_encoding core_ext/digest core_ext/encoding core_ext/matching core_ext/playout core_ext/scoring core_ext/shuffle
  core_ext/table core_ext/tensors core_ext/variant core_ext/vector core_ext/views
  core_ext/variants/hachihachi core_ext/variants/koikoi core_ext/variants/koikoi45 core_ext/variants/kyogi
  core_ext/variants/sangohana)

# Wrong pointers are errors from gcc 14 on. A product and a sum in one instruction would round as other machines do not.
set(core_flags -fno-strict-aliasing -fwrapv -ffp-contract=off -Werror=incompatible-pointer-types)
# One instruction counts the cards of a mask; every x86-64 processor since 2009 has it.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  check_c_compiler_flag(-march=x86-64-v2 HAS_X86_64_V2)
  if(HAS_X86_64_V2)
    list(APPEND core_flags -march=x86-64-v2)
  endif()
endif()

# A deal is some 400 bytes, which the C library copies faster than the one instruction that gcc would take.
set(copies unrolled_loop:64:noalign,libcall:-1:noalign)
check_c_compiler_flag("-mmemcpy-strategy=${copies} -mmemset-strategy=${copies}" HAS_COPY_STRATEGY)
if(HAS_COPY_STRATEGY)
  list(APPEND core_flags -mmemcpy-strategy=${copies} -mmemset-strategy=${copies})
endif()

file(GLOB_RECURSE core_sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} core_ext/*.pyx arena/*.pyx)
file(GLOB_RECURSE core_headers CONFIGURE_DEPENDS core_ext/*.pxd arena/*.pxd)
list(APPEND core_headers ${wire_fields})
list(REMOVE_DUPLICATES core_headers)
set(core_folders ${core_sources})
list(TRANSFORM core_folders REPLACE "/[^/]*$" "")
list(REMOVE_DUPLICATES core_folders)
# A folder is translated by one process: starting the compiler takes longer than most modules.
foreach(folder IN LISTS core_folders)
  set(sources ${core_sources})
  list(FILTER sources INCLUDE REGEX "^${folder}/[^/]*$")
  set(written ${sources})
  list(TRANSFORM written REPLACE "\\.pyx$" ".c")
  list(TRANSFORM written PREPEND ${CMAKE_BINARY_DIR}/)
  add_custom_command(
    OUTPUT ${written}
    COMMAND ${Python_EXECUTABLE} ${CMAKE_SOURCE_DIR}/cmake/transpile.py ${CMAKE_BINARY_DIR}/${folder} ${sources}
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    DEPENDS ${sources} ${core_headers} ${CMAKE_SOURCE_DIR}/cmake/transpile.py
    COMMENT "Translating ${folder} to C")
  foreach(source IN LISTS sources)
    string(REGEX REPLACE "\\.pyx$" "" stem ${source})
    string(REPLACE "/" "_" target ${stem})
    get_filename_component(name ${stem} NAME)
    python_add_library(${target} MODULE ${CMAKE_BINARY_DIR}/${stem}.c WITH_SOABI)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${folder})
    target_compile_options(${target} PRIVATE ${core_flags})
    if(stem IN_LIST hot)
      target_compile_options(${target} PRIVATE -O3)
    endif()
    install(TARGETS ${target} DESTINATION ${folder})
  endforeach()
endforeach()
