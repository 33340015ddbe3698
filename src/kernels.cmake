# Generated sources: kernels, catalogue, version and commit are embedded in the binary, so that it
# runs from any folder.

# percycle_embed(OUTPUT FUNCTION HEADER FILE...): writes OUTPUT, which defines `std::string_view
# FUNCTION(std::string_view file_name)`: the text of one of the files by its name, empty if there is
# none.
set(PERCYCLE_EMBED_SCRIPT ${CMAKE_CURRENT_SOURCE_DIR}/embed.cmake CACHE INTERNAL "writes the sources that percycle_embed() names")
function(percycle_embed output function header)
  string(REPLACE ";" "|" files "${ARGN}")
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DFUNCTION=${function} -DHEADER=${header} "-DFILES=${files}" -P ${PERCYCLE_EMBED_SCRIPT}
    DEPENDS ${ARGN} ${PERCYCLE_EMBED_SCRIPT}
    COMMENT "Embedding for ${function}"
    VERBATIM)
  set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

file(GLOB kernel_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cl_kernels/*.cl ${PROJECT_SOURCE_DIR}/cl_kernels/*.h
     ${PROJECT_SOURCE_DIR}/shaders/*.comp ${PROJECT_SOURCE_DIR}/shaders/*.glsl)
set(PERCYCLE_EMBEDDED_KERNELS ${CMAKE_CURRENT_BINARY_DIR}/embedded_kernels.cpp)
percycle_embed(${PERCYCLE_EMBEDDED_KERNELS} embedded_kernel device/embedded_kernel.hpp ${kernel_files})

file(GLOB limit_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/limits/*.toml)
set(PERCYCLE_EMBEDDED_LIMITS ${CMAKE_CURRENT_BINARY_DIR}/embedded_limits.cpp)
percycle_embed(${PERCYCLE_EMBEDDED_LIMITS} catalogue_text limits/catalogue_text.hpp ${limit_files})

file(GLOB model_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/sim/models/*.toml)
set(PERCYCLE_EMBEDDED_MODELS ${CMAKE_CURRENT_BINARY_DIR}/embedded_models.cpp)
percycle_embed(${PERCYCLE_EMBEDDED_MODELS} sim_model_text sim/model_text.hpp ${model_files})

# Figures that documents print.
file(GLOB published_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/results/published/*.jsonl)
set(PERCYCLE_EMBEDDED_PUBLISHED ${CMAKE_CURRENT_BINARY_DIR}/embedded_published.cpp)
percycle_embed(${PERCYCLE_EMBEDDED_PUBLISHED} published_text store/published_text.hpp ${published_files})

set(PERCYCLE_EMBEDDED_WORDS ${CMAKE_CURRENT_BINARY_DIR}/embedded_words.cpp)
percycle_embed(${PERCYCLE_EMBEDDED_WORDS} known_words store/known_words.hpp ${CMAKE_CURRENT_SOURCE_DIR}/store/known_words.txt)

# The parts of a report's page. Vega (https://vega.github.io, BSD-3-Clause) comes from the npm
# registry, in the version of tools/charts/package-lock.json.
set(vega ${CMAKE_CURRENT_BINARY_DIR}/vega)
set(vega_files)
foreach(package vega vega-lite vega-embed)
  list(APPEND vega_files ${vega}/${package}.min.js ${vega}/${package}.LICENSE)
endforeach()
set(chart_tools ${PROJECT_SOURCE_DIR}/tools/charts)
set(fetch_vega ${CMAKE_CURRENT_SOURCE_DIR}/fetch_vega.cmake)
add_custom_command(
  OUTPUT ${vega_files}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${vega}
  COMMAND ${CMAKE_COMMAND} -DCHARTS=${chart_tools} -DFOLDER=${vega} -P ${fetch_vega}
  DEPENDS ${chart_tools}/package-lock.json ${fetch_vega}
  COMMENT "Fetching Vega"
  VERBATIM)
file(GLOB page_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/html/report.*)
set(PERCYCLE_EMBEDDED_PAGE ${CMAKE_CURRENT_BINARY_DIR}/embedded_page.cpp)
percycle_embed(${PERCYCLE_EMBEDDED_PAGE} page_file html/page_file.hpp ${page_files} ${vega_files})

# The pages of a site, with their styles and scripts.
file(GLOB site_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/site/*.html ${CMAKE_CURRENT_SOURCE_DIR}/site/*.css ${CMAKE_CURRENT_SOURCE_DIR}/site/*.js)
set(PERCYCLE_EMBEDDED_SITE ${CMAKE_CURRENT_BINARY_DIR}/embedded_site.cpp)
percycle_embed(${PERCYCLE_EMBEDDED_SITE} site_file site/site_file.hpp ${site_files})

# Pages that `percycle help` prints: those for users.
file(GLOB doc_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md ${PROJECT_SOURCE_DIR}/docs/experiments/*.md)
list(REMOVE_ITEM doc_files ${PROJECT_SOURCE_DIR}/docs/development.md)
set(PERCYCLE_EMBEDDED_DOCS ${CMAKE_CURRENT_BINARY_DIR}/embedded_docs.cpp)
percycle_embed(${PERCYCLE_EMBEDDED_DOCS} doc_file cli/doc_file.hpp ${doc_files})

set(PERCYCLE_VERSION_SOURCE ${CMAKE_CURRENT_BINARY_DIR}/version.cpp)
set_source_files_properties(${PERCYCLE_VERSION_SOURCE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
add_custom_target(
  percycle_version
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${PERCYCLE_VERSION_SOURCE} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION}
          "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} for ${CMAKE_SYSTEM_PROCESSOR} ${CMAKE_SYSTEM_NAME}" "-DLIBRARIES=${PERCYCLE_LIBRARIES}"
          -P ${CMAKE_CURRENT_SOURCE_DIR}/version.cmake
  BYPRODUCTS ${PERCYCLE_VERSION_SOURCE}
  COMMENT "Looking up the commit"
  VERBATIM)

# percycle_check_kernels(NAME FILES SOURCE...): target NAME_checked compiles every planned program
# of these kernels without a device (tools/kernel_check.cpp). The sources hold additional
# experiments. OpenCL needs clang; `-finclude-default-header` would parse 16000 lines per program.
find_program(PERCYCLE_CLANG NAMES clang clang-14 clang-15 clang-16 clang-17 clang-18 clang-19)
set(PERCYCLE_KERNEL_CHECK_SOURCE ${PROJECT_SOURCE_DIR}/tools/kernel_check.cpp CACHE INTERNAL "the program behind percycle_check_kernels()")
function(percycle_check_kernels name files)
  set(kernels)
  foreach(file ${files})
    if(file MATCHES "/([^/]+)\\.(cl|comp)$")
      list(APPEND kernels ${CMAKE_MATCH_1})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES kernels)

  add_executable(${name}_check ${PERCYCLE_KERNEL_CHECK_SOURCE} ${ARGN})
  target_include_directories(${name}_check PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name}_check PRIVATE percycle_programs ${SPIRV_TOOLS_LIBRARY})

  set(folder ${name}.programs)
  set(clang_commands)
  if(PERCYCLE_CLANG)
    # The front end itself: it reads all programs in one process, and starting it takes longer than
    # reading a program.
    execute_process(COMMAND ${PERCYCLE_CLANG} -print-resource-dir OUTPUT_VARIABLE resources OUTPUT_STRIP_TRAILING_WHITESPACE)
    set(clang_options "-resource-dir '${resources}' -x cl -finclude-default-header -fdeclare-opencl-builtins -cl-ext=+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics -Dcl_khr_subgroups -Dcl_khr_subgroup_ballot -Dcl_khr_subgroup_shuffle -D__opencl_c_integer_dot_product_input_4x8bit_packed -Werror -Wno-ignored-pragmas -Wno-macro-redefined -fsyntax-only")
    foreach(target spir64 nvptx64 amdgcn)
      list(APPEND clang_commands COMMAND sh -c "\"$0\" -cc1 -triple ${target} -cl-std=CL1.2 ${clang_options} ${folder}/*.${target}.cl" ${PERCYCLE_CLANG})
    endforeach()
    # Not every set of kernels adds floating-point numbers.
    list(APPEND clang_commands COMMAND sh -c "set -- ${folder}/*.spir64-3.cl && ( [ ! -e \"$1\" ] || \"$0\" -cc1 -triple spir64 -cl-std=CL3.0 -D__opencl_c_ext_fp32_global_atomic_add -D__opencl_c_ext_fp32_local_atomic_add ${clang_options} \"$@\" )" ${PERCYCLE_CLANG})
  else()
    message(WARNING "clang is not installed: the OpenCL kernels are not compiled until they run")
  endif()
  add_custom_command(
    OUTPUT ${name}.checked
    COMMAND ${name}_check ${folder} ${kernels}
    ${clang_commands}
    COMMAND ${CMAKE_COMMAND} -E touch ${name}.checked
    DEPENDS ${name}_check ${files}
    COMMENT "Compiling every program that the experiments plan (${name})"
    VERBATIM)
  add_custom_target(${name}_checked ALL DEPENDS ${name}.checked)
endfunction()
