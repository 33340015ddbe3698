# Third-party libraries, all from the distribution's packages and linked statically or header-only,
# so that the binary starts on a machine with nothing installed. One INTERFACE target each;
# `third_party_*` headers are system headers.

# percycle_library(NAME VERSION LICENCE SOURCE): a library in the binary, for `percycle --version
# --json` and the packages. SOURCE: the Debian package or the file that has its licence's text.
set(PERCYCLE_LIBRARIES)
set(PERCYCLE_LICENCE_TEXTS)
macro(percycle_library name version licence source)
  list(APPEND PERCYCLE_LIBRARIES "${name}|${version}|${licence}")
  if(IS_ABSOLUTE ${source})
    list(APPEND PERCYCLE_LICENCE_TEXTS "${name}|${version}|${licence}|${source}")
  else()
    list(APPEND PERCYCLE_LICENCE_TEXTS "${name}|${version}|${licence}|/usr/share/doc/${source}/copyright")
  endif()
endmacro()
# percycle_header_version(OUTPUT FOLDER "HEADER;..." MACRO...): the numbers of these macros, joined
# by dots. Releases move them, so each header of FOLDER is searched that exists. Empty if none
# defines them all: the version is only shown to users.
function(percycle_header_version output folder headers)
  set(numbers)
  foreach(macro ${ARGN})
    foreach(header ${headers})
      set(line)
      if(EXISTS ${folder}/${header})
        file(STRINGS ${folder}/${header} line REGEX "^#[ \t]*define[ \t]+${macro}[ \t]+[0-9]+" LIMIT_COUNT 1)
      endif()
      if(line)
        string(REGEX REPLACE "^#[ \t]*define[ \t]+${macro}[ \t]+([0-9]+).*$" "\\1" number "${line}")
        list(APPEND numbers "${number}")
        break()
      endif()
    endforeach()
  endforeach()
  list(LENGTH numbers found)
  list(LENGTH ARGN wanted)
  if(NOT found EQUAL wanted)
    message(STATUS "No version of a library found: none of ${headers} in ${folder} defines ${ARGN}")
    set(numbers)
  endif()
  list(JOIN numbers . version)
  set(${output} "${version}" PARENT_SCOPE)
endfunction()

find_path(FMT_INCLUDE_DIR fmt/format.h REQUIRED)
percycle_header_version(version ${FMT_INCLUDE_DIR} "fmt/base.h;fmt/core.h" FMT_VERSION)
string(REGEX REPLACE "^([0-9]+)([0-9][0-9])([0-9][0-9])$" "\\1.\\2.\\3" version "${version}")
string(REGEX REPLACE "[.]0([0-9])" ".\\1" version "${version}")
percycle_library(fmt "${version}" MIT libfmt-dev)
add_library(third_party_fmt STATIC ${CMAKE_CURRENT_SOURCE_DIR}/fmt.cpp)
target_include_directories(third_party_fmt SYSTEM PUBLIC ${FMT_INCLUDE_DIR})

find_path(SPDLOG_INCLUDE_DIR spdlog/spdlog.h REQUIRED)
percycle_header_version(version ${SPDLOG_INCLUDE_DIR} spdlog/version.h SPDLOG_VER_MAJOR SPDLOG_VER_MINOR SPDLOG_VER_PATCH)
percycle_library(spdlog "${version}" MIT libspdlog-dev)
add_library(third_party_log INTERFACE)
target_include_directories(third_party_log SYSTEM INTERFACE ${SPDLOG_INCLUDE_DIR})
target_compile_definitions(third_party_log INTERFACE SPDLOG_FMT_EXTERNAL)
target_link_libraries(third_party_log INTERFACE third_party_fmt Threads::Threads)

find_path(JSON_INCLUDE_DIR nlohmann/json.hpp REQUIRED)
add_library(third_party_json INTERFACE)
percycle_header_version(version ${JSON_INCLUDE_DIR} nlohmann/detail/abi_macros.hpp NLOHMANN_JSON_VERSION_MAJOR NLOHMANN_JSON_VERSION_MINOR NLOHMANN_JSON_VERSION_PATCH)
percycle_library(nlohmann-json "${version}" MIT nlohmann-json3-dev)
target_include_directories(third_party_json SYSTEM INTERFACE ${JSON_INCLUDE_DIR})

find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h REQUIRED)
percycle_header_version(version ${TOMLPLUSPLUS_INCLUDE_DIR} "toml++/impl/version.hpp;toml++/impl/version.h" TOML_LIB_MAJOR TOML_LIB_MINOR TOML_LIB_PATCH)
percycle_library(toml++ "${version}" MIT libtomlplusplus-dev)
add_library(third_party_toml INTERFACE)
target_include_directories(third_party_toml SYSTEM INTERFACE ${TOMLPLUSPLUS_INCLUDE_DIR})

find_path(CLI11_INCLUDE_DIR CLI/CLI.hpp REQUIRED)
add_library(third_party_cli INTERFACE)
percycle_header_version(version ${CLI11_INCLUDE_DIR} CLI/Version.hpp CLI11_VERSION_MAJOR CLI11_VERSION_MINOR CLI11_VERSION_PATCH)
percycle_library(CLI11 "${version}" BSD-3-Clause libcli11-dev)
target_include_directories(third_party_cli SYSTEM INTERFACE ${CLI11_INCLUDE_DIR})

# Eigen solves least squares, in src/analysis.
find_path(EIGEN_INCLUDE_DIR Eigen/Core PATH_SUFFIXES eigen3 REQUIRED)
percycle_header_version(version ${EIGEN_INCLUDE_DIR} "Eigen/Version;Eigen/src/Core/util/Macros.h" EIGEN_WORLD_VERSION EIGEN_MAJOR_VERSION EIGEN_MINOR_VERSION)
# Eigen 5 keeps 3 as its "world" version.
string(REGEX REPLACE "^3[.]([5-9])" "\\1" version "${version}")
percycle_library(Eigen "${version}" MPL-2.0 libeigen3-dev)
add_library(third_party_eigen INTERFACE)
target_include_directories(third_party_eigen SYSTEM INTERFACE ${EIGEN_INCLUDE_DIR})

# OpenCL: headers only; the loader is opened at run time.
find_path(OPENCL_INCLUDE_DIR CL/cl.h REQUIRED)
percycle_library(OpenCL-Headers "" Apache-2.0 opencl-c-headers)
add_library(third_party_opencl INTERFACE)
target_include_directories(third_party_opencl SYSTEM INTERFACE ${OPENCL_INCLUDE_DIR})
target_compile_definitions(third_party_opencl INTERFACE CL_TARGET_OPENCL_VERSION=300 CL_NO_PROTOTYPES)

# Zstandard: NVIDIA's driver compresses machine code with it.
find_path(ZSTD_INCLUDE_DIR zstd.h REQUIRED)
find_library(ZSTD_LIBRARY NAMES libzstd.a zstd REQUIRED)
percycle_header_version(version ${ZSTD_INCLUDE_DIR} zstd.h ZSTD_VERSION_MAJOR ZSTD_VERSION_MINOR ZSTD_VERSION_RELEASE)
percycle_library(zstd "${version}" BSD-3-Clause libzstd-dev)
add_library(third_party_zstd INTERFACE)
target_include_directories(third_party_zstd SYSTEM INTERFACE ${ZSTD_INCLUDE_DIR})
target_link_libraries(third_party_zstd INTERFACE ${ZSTD_LIBRARY})

# zlib: records may be compressed.
find_path(ZLIB_INCLUDE_DIR zlib.h REQUIRED)
find_library(ZLIB_LIBRARY NAMES libz.a z REQUIRED)
percycle_header_version(version ${ZLIB_INCLUDE_DIR} zlib.h ZLIB_VER_MAJOR ZLIB_VER_MINOR ZLIB_VER_REVISION)
percycle_library(zlib "${version}" Zlib zlib1g-dev)
add_library(third_party_zlib INTERFACE)
target_include_directories(third_party_zlib SYSTEM INTERFACE ${ZLIB_INCLUDE_DIR})
target_compile_definitions(third_party_zlib INTERFACE ZLIB_CONST)
target_link_libraries(third_party_zlib INTERFACE ${ZLIB_LIBRARY})

# Vulkan: volk opens the loader at run time; its one source file is compiled here.
find_path(VOLK_INCLUDE_DIR volk.h REQUIRED)
find_file(VOLK_SOURCE volk.c PATHS ${VOLK_INCLUDE_DIR} REQUIRED)
find_path(VULKAN_INCLUDE_DIR vulkan/vulkan.h REQUIRED)
percycle_header_version(version ${VOLK_INCLUDE_DIR} volk.h VOLK_HEADER_VERSION)
percycle_library(volk "${version}" MIT libvulkan-volk-dev)
percycle_header_version(version ${VULKAN_INCLUDE_DIR} vulkan/vulkan_core.h VK_HEADER_VERSION)
percycle_library(Vulkan-Headers "${version}" Apache-2.0 libvulkan-dev)
add_library(third_party_vulkan STATIC ${VOLK_SOURCE})
target_include_directories(third_party_vulkan SYSTEM PUBLIC ${VOLK_INCLUDE_DIR} ${VULKAN_INCLUDE_DIR})
target_link_libraries(third_party_vulkan PUBLIC ${CMAKE_DL_LIBS})

# glslang compiles GLSL to SPIR-V. The static archives' names differ between distributions
# (OGLCompiler and HLSL are gone since glslang 12/13), so each is used if it exists. Its optimiser,
# SPIRV-Tools, is not linked (device/vulkan/glsl_compiler.cpp).
add_library(third_party_glslang INTERFACE)
find_path(GLSLANG_INCLUDE_DIR glslang/Public/ShaderLang.h REQUIRED)
percycle_header_version(version ${GLSLANG_INCLUDE_DIR} glslang/build_info.h GLSLANG_VERSION_MAJOR GLSLANG_VERSION_MINOR GLSLANG_VERSION_PATCH)
percycle_library(glslang "${version}" "BSD-3-Clause AND GPL-3.0-or-later WITH Bison-exception-2.2" glslang-dev)
target_include_directories(third_party_glslang SYSTEM INTERFACE ${GLSLANG_INCLUDE_DIR})
set(glslang_archives)
foreach(archive glslang MachineIndependent GenericCodeGen OSDependent OGLCompiler HLSL SPIRV glslang-default-resource-limits)
  find_library(${archive}_ARCHIVE lib${archive}.a)
  if(${archive}_ARCHIVE)
    list(APPEND glslang_archives ${${archive}_ARCHIVE})
  elseif(archive STREQUAL "glslang")
    message(FATAL_ERROR "lib${archive}.a not found: install glslang-dev")
  endif()
endforeach()
target_link_libraries(third_party_glslang INTERFACE -Wl,--start-group ${glslang_archives} -Wl,--end-group Threads::Threads)
if(PERCYCLE_SANITIZE)
  # The packages are built without RTTI, which UBSan's vptr check needs for every class it sees.
  target_compile_options(third_party_glslang INTERFACE -fno-sanitize=vptr)
endif()

# tools/kernel_check.cpp validates SPIR-V with SPIRV-Tools.
if(NOT CMAKE_CROSSCOMPILING)
  find_library(SPIRV_TOOLS_LIBRARY libSPIRV-Tools.a REQUIRED)
endif()

# The runtime of g++ is linked statically, too.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  string(REGEX MATCH "^[0-9]+" base "${CMAKE_CXX_COMPILER_VERSION}")
  if(WIN32)
    set(base mingw-w64)
  endif()
  percycle_library(libstdc++ "${CMAKE_CXX_COMPILER_VERSION}" "GPL-3.0-or-later WITH GCC-exception-3.1" gcc-${base}-base)
endif()

# And that of Windows programs.
if(WIN32)
  find_path(MINGW_INCLUDE_DIR _mingw_mac.h NO_CMAKE_FIND_ROOT_PATH PATHS /usr/share/mingw-w64/include REQUIRED)
  percycle_header_version(version ${MINGW_INCLUDE_DIR} _mingw_mac.h __MINGW64_VERSION_MAJOR __MINGW64_VERSION_MINOR __MINGW64_VERSION_BUGFIX)
  percycle_library(mingw-w64 "${version}" "ZPL-2.1 AND MIT" mingw-w64-x86-64-dev)
endif()

# In reports (src/kernels.cmake fetches them).
file(READ ${PROJECT_SOURCE_DIR}/tools/charts/package.json packages)
foreach(name vega vega-lite vega-embed)
  string(JSON version GET "${packages}" dependencies ${name})
  percycle_library(${name} "${version}" BSD-3-Clause ${CMAKE_CURRENT_BINARY_DIR}/vega/${name}.LICENSE)
endforeach()
string(REPLACE ";" "\n" lines "${PERCYCLE_LICENCE_TEXTS}")
file(WRITE ${PROJECT_BINARY_DIR}/libraries.txt "${lines}\n")  # for tools/packaging
