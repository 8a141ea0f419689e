# The CMake package of clforge:
#
#   find_package(clforge)
#   target_link_libraries(program PRIVATE clforge::clforge)     # the compiler as a library, where it is installed
#   clforge_add_kernels(program FILES scale.cl OPTIONS -cl-mad-enable EMBED)
#
# The targets are clforge::command (the program clforge), and clforge::clforge and clforge::static (the library).

if(CMAKE_VERSION VERSION_LESS 3.20)
  set(clforge_FOUND FALSE)
  set(clforge_NOT_FOUND_MESSAGE "clforge needs CMake 3.20, whose Makefiles read dependency files")
  return()
endif()
cmake_policy(PUSH)
cmake_policy(VERSION 3.20)

get_filename_component(_clforge_libraries "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
get_filename_component(_clforge_prefix "${_clforge_libraries}/.." ABSOLUTE)
if(NOT EXISTS "${_clforge_prefix}/bin")
  # Libraries may be in lib/ARCHITECTURE.
  get_filename_component(_clforge_prefix "${_clforge_prefix}/.." ABSOLUTE)
endif()

find_program(CLFORGE_COMMAND clforge HINTS "${_clforge_prefix}/bin" DOC "The command clforge")
if(CLFORGE_COMMAND AND NOT TARGET clforge::command)
  add_executable(clforge::command IMPORTED GLOBAL)
  set_target_properties(clforge::command PROPERTIES IMPORTED_LOCATION "${CLFORGE_COMMAND}")
endif()

set(_clforge_shared "${_clforge_libraries}/libclforge.so.0")
if(EXISTS "${_clforge_shared}" AND NOT TARGET clforge::clforge)
  add_library(clforge::clforge SHARED IMPORTED GLOBAL)
  set_target_properties(clforge::clforge PROPERTIES
    IMPORTED_LOCATION "${_clforge_shared}"
    IMPORTED_SONAME libclforge.so.0
    INTERFACE_INCLUDE_DIRECTORIES "${_clforge_prefix}/include")
endif()
set(_clforge_static "${_clforge_libraries}/libclforge.a")
if(EXISTS "${_clforge_static}" AND NOT TARGET clforge::static)
  add_library(clforge::static STATIC IMPORTED GLOBAL)
  set_target_properties(clforge::static PROPERTIES
    IMPORTED_LOCATION "${_clforge_static}"
    INTERFACE_LINK_LIBRARIES "pthread;dl;m;rt;gcc_s"
    INTERFACE_INCLUDE_DIRECTORIES "${_clforge_prefix}/include")
endif()

# A header for one source, which is made again whenever the module is. The other arguments are the module's options: it
# is compiled once more, into a file, because `clforge reflect` reads no array of C.
function(_clforge_add_declarations target_name source module stem language)
  if(language STREQUAL cpp)
    set(output "${stem}.hpp")
  else()
    set(output "${stem}.h")
  endif()
  add_custom_command(
    OUTPUT "${output}"
    BYPRODUCTS "${stem}.spv"
    COMMAND clforge::command compile -w -o "${stem}.spv" ${ARGN} "${source}"
    COMMAND clforge::command reflect --emit ${language} "${stem}.spv" > "${output}"
    DEPENDS "${module}" clforge::command
    COMMENT "Describing the kernels of ${source}"
    VERBATIM)
  target_sources(${target_name} PRIVATE "${output}")
endfunction()

# clforge_add_kernels(TARGET_NAME FILES a.cl ... [OPTIONS OPTION ...] [INCLUDES FOLDER ...] [TARGET vulkan1.2] [EMBED]
#                     [DECLARATIONS c-header|cpp])
#
# Compiles kernels whenever they, or files that they include, change, before the target is built. INCLUDES are folders of
# included files, relative to the current source folder. OPTIONS are options of `clforge compile`.
#
# Without EMBED each FILES/a.cl becomes a.spv; the target's property CLFORGE_MODULES has the paths. With EMBED it becomes a
# header a_spv.h, which the target's sources include; it has the array a_spv and its size in bytes, a_spv_size.
#
# With DECLARATIONS there is a header a_interface.h (c-header) or a_interface.hpp (cpp) too, as `clforge reflect --emit`
# prints it.
function(clforge_add_kernels target_name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "EMBED" "TARGET;DECLARATIONS" "FILES;OPTIONS;INCLUDES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "clforge_add_kernels: unknown argument '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT arg_FILES)
    message(FATAL_ERROR "clforge_add_kernels(${target_name}) needs FILES a.cl ...")
  endif()
  if(arg_DECLARATIONS AND NOT arg_DECLARATIONS MATCHES "^(c-header|cpp)$")
    message(FATAL_ERROR "clforge_add_kernels: DECLARATIONS is c-header or cpp, not '${arg_DECLARATIONS}'")
  endif()
  if(NOT TARGET clforge::command)
    message(FATAL_ERROR "clforge_add_kernels: the command clforge was not found; set CLFORGE_COMMAND")
  endif()
  if(NOT arg_TARGET)
    set(arg_TARGET vulkan1.2)
  endif()
  set(options --target ${arg_TARGET})
  foreach(include IN LISTS arg_INCLUDES)
    get_filename_component(include "${include}" ABSOLUTE)
    list(APPEND options -I "${include}")
  endforeach()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/clforge/${target_name}")
  file(MAKE_DIRECTORY "${folder}")
  foreach(file IN LISTS arg_FILES)
    get_filename_component(source "${file}" ABSOLUTE)
    get_filename_component(stem "${file}" NAME_WLE)
    if(arg_EMBED)
      string(REGEX REPLACE "[^A-Za-z0-9]" "_" stem "${stem}")
      set(output "${folder}/${stem}_spv.h")
      set(kind c-array)
    else()
      set(output "${folder}/${stem}.spv")
      set(kind spirv)
    endif()
    add_custom_command(
      OUTPUT "${output}"
      COMMAND clforge::command compile --emit ${kind} -o "${output}" --depfile "${output}.d" ${options} ${arg_OPTIONS}
              "${source}"
      DEPENDS "${source}" clforge::command
      DEPFILE "${output}.d"
      COMMENT "Compiling ${file} for ${arg_TARGET}"
      VERBATIM)
    target_sources(${target_name} PRIVATE "${output}")
    if(NOT arg_EMBED)
      set_property(TARGET ${target_name} APPEND PROPERTY CLFORGE_MODULES "${output}")
    endif()
    if(arg_DECLARATIONS)
      _clforge_add_declarations(${target_name} "${source}" "${output}" "${folder}/${stem}_interface"
        ${arg_DECLARATIONS} ${options} ${arg_OPTIONS})
    endif()
  endforeach()
  if(arg_EMBED OR arg_DECLARATIONS)
    target_include_directories(${target_name} PRIVATE "${folder}")
  endif()
endfunction()

cmake_policy(POP)
