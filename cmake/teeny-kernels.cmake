# teeny_add_kernels(TARGET FILE.c... [TARGETS sm_90a sm_80 x86-64-v3 ...] [SPECIALISE [KERNEL:]ARG=N[,ARG=N]...]
#                   [EMBED ptx|cubin...] [OPTIONS teenyc's options...])
#
# Files of kernels for a program or library, checked by teenyc when they or what they include change;
# errors are at the user's lines.
#
# Without TARGETS the files become sources of TARGET: their kernels are compiled when the program runs.
# With TARGETS they are compiled now, and the C files that hold the result become sources of TARGET in
# their place; it, and what links it, finds the headers as NAME.h (see teenyc --emit c), so two files of
# a target need two names. The program then needs no teenyc.
function(teeny_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "TARGETS;SPECIALISE;EMBED;OPTIONS")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "teeny_add_kernels: there is no target '${target}'")
  endif()
  if(NOT CMAKE_C_COMPILER)
    message(FATAL_ERROR "teeny_add_kernels(${target}): kernels are C: enable the language C, too")
  endif()
  if(NOT arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "teeny_add_kernels(${target}): no file of kernels is given")
  endif()
  list(FIND ARGN TARGETS targets_at)
  if(NOT arg_TARGETS AND NOT targets_at EQUAL -1)
    message(FATAL_ERROR "teeny_add_kernels(${target}): TARGETS names no target")
  endif()
  if(NOT arg_TARGETS AND (arg_EMBED OR arg_SPECIALISE))
    message(FATAL_ERROR "teeny_add_kernels(${target}): EMBED and SPECIALISE want TARGETS")
  endif()
  if(NOT TEENYC)
    message(FATAL_ERROR "teeny_add_kernels(${target}): there is no teenyc: set TEENYC to its path")
  endif()
  foreach(file ${arg_UNPARSED_ARGUMENTS})
    teeny_claim_name(${target} ${file})
    teeny_check_or_embed(${target} ${file})
  endforeach()
endfunction()

# What is made of a file is named after it: another of that name would take its place.
function(teeny_claim_name target file)
  get_filename_component(source ${file} ABSOLUTE)
  get_filename_component(name ${file} NAME_WLE)
  get_source_file_property(is_generated ${source} GENERATED)
  if(NOT is_generated AND NOT EXISTS ${source})
    message(FATAL_ERROR "teeny_add_kernels(${target}): there is no file ${source}")
  endif()
  get_property(claimed TARGET ${target} PROPERTY TEENY_KERNELS)
  foreach(each IN LISTS claimed)
    get_filename_component(taken "${each}" NAME_WLE)
    if(taken STREQUAL name)
      message(FATAL_ERROR "teeny_add_kernels(${target}): ${each} and ${source} would both be made into "
        "${name}.c and ${name}.h: give one of them another name")
    endif()
  endforeach()
  set_property(TARGET ${target} APPEND PROPERTY TEENY_KERNELS ${source})
endfunction()

# One file, with the caller's arg_ variables.
function(teeny_check_or_embed target file)
  get_filename_component(name ${file} NAME_WLE)
  get_filename_component(source ${file} ABSOLUTE)
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/${target}.teeny)
  file(MAKE_DIRECTORY ${directory})
  if(arg_TARGETS)
    teeny_refuse_source(${target} ${source})
    list(JOIN arg_TARGETS "," targets)
    set(options --target ${targets} --emit c)
    foreach(each ${arg_SPECIALISE})
      list(APPEND options --specialise ${each})
    endforeach()
    if(arg_EMBED)
      list(JOIN arg_EMBED "," stages)
      list(APPEND options --embed ${stages})
    endif()
    set(output ${directory}/${name}.c)
    set(outputs ${output} ${directory}/${name}.h)
    set(finish)
    set(verb "Compiling kernels of ${file} for ${targets}")
    target_sources(${target} PRIVATE ${outputs})
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${directory}>)
  else()
    set(options --check)
    set(output ${directory}/${name}.checked)
    set(outputs ${output})
    set(finish COMMAND ${CMAKE_COMMAND} -E touch ${output})
    set(verb "Checking kernels of ${file}")
    target_sources(${target} PRIVATE ${source} ${output})
  endif()
  # From the file's directory: places in compiled code name it as the user does.
  get_filename_component(home ${source} DIRECTORY)
  get_filename_component(base ${source} NAME)
  add_custom_command(OUTPUT ${outputs}
    COMMAND ${TEENYC} ${base} ${options} ${arg_OPTIONS} --depfile ${output}.d -o ${output}
    ${finish}
    WORKING_DIRECTORY ${home}
    DEPENDS ${source} ${TEENYC} DEPFILE ${output}.d
    COMMENT "${verb}" VERBATIM)
endfunction()

# The text and what was made of it define the same kernels.
function(teeny_refuse_source target source)
  get_target_property(sources ${target} SOURCES)
  foreach(each ${sources})
    get_filename_component(each "${each}" ABSOLUTE)
    if(each STREQUAL source)
      message(FATAL_ERROR "teeny_add_kernels(${target}): ${source} is compiled ahead: take it off the "
        "sources of ${target}, and move what is no kernel to another file")
    endif()
  endforeach()
endfunction()
