# Third-party libraries, all from the distribution's packages and linked statically or header-only,
# so that the binary starts on a machine with nothing installed. One INTERFACE target each;
# `third_party_*` headers are system headers.

find_path(FMT_INCLUDE_DIR fmt/format.h REQUIRED)
add_library(third_party_fmt STATIC ${CMAKE_CURRENT_SOURCE_DIR}/fmt.cpp)
target_include_directories(third_party_fmt SYSTEM PUBLIC ${FMT_INCLUDE_DIR})

find_path(SPDLOG_INCLUDE_DIR spdlog/spdlog.h REQUIRED)
add_library(third_party_log INTERFACE)
target_include_directories(third_party_log SYSTEM INTERFACE ${SPDLOG_INCLUDE_DIR})
target_compile_definitions(third_party_log INTERFACE SPDLOG_FMT_EXTERNAL)
target_link_libraries(third_party_log INTERFACE third_party_fmt Threads::Threads)

find_path(JSON_INCLUDE_DIR nlohmann/json.hpp REQUIRED)
add_library(third_party_json INTERFACE)
target_include_directories(third_party_json SYSTEM INTERFACE ${JSON_INCLUDE_DIR})

find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h REQUIRED)
add_library(third_party_toml INTERFACE)
target_include_directories(third_party_toml SYSTEM INTERFACE ${TOMLPLUSPLUS_INCLUDE_DIR})

find_path(CLI11_INCLUDE_DIR CLI/CLI.hpp REQUIRED)
add_library(third_party_cli INTERFACE)
target_include_directories(third_party_cli SYSTEM INTERFACE ${CLI11_INCLUDE_DIR})

# Eigen solves least squares, in src/analysis.
find_path(EIGEN_INCLUDE_DIR Eigen/Core PATH_SUFFIXES eigen3 REQUIRED)
add_library(third_party_eigen INTERFACE)
target_include_directories(third_party_eigen SYSTEM INTERFACE ${EIGEN_INCLUDE_DIR})

# OpenCL: headers only; the loader is opened at run time.
find_path(OPENCL_INCLUDE_DIR CL/cl.h REQUIRED)
add_library(third_party_opencl INTERFACE)
target_include_directories(third_party_opencl SYSTEM INTERFACE ${OPENCL_INCLUDE_DIR})
target_compile_definitions(third_party_opencl INTERFACE CL_TARGET_OPENCL_VERSION=300 CL_NO_PROTOTYPES)

# Zstandard: NVIDIA's driver compresses machine code with it.
find_path(ZSTD_INCLUDE_DIR zstd.h REQUIRED)
find_library(ZSTD_LIBRARY NAMES libzstd.a zstd REQUIRED)
add_library(third_party_zstd INTERFACE)
target_include_directories(third_party_zstd SYSTEM INTERFACE ${ZSTD_INCLUDE_DIR})
target_link_libraries(third_party_zstd INTERFACE ${ZSTD_LIBRARY})

# Vulkan: volk opens the loader at run time; its one source file is compiled here.
find_path(VOLK_INCLUDE_DIR volk.h REQUIRED)
find_file(VOLK_SOURCE volk.c PATHS ${VOLK_INCLUDE_DIR} REQUIRED)
find_path(VULKAN_INCLUDE_DIR vulkan/vulkan.h REQUIRED)
add_library(third_party_vulkan STATIC ${VOLK_SOURCE})
target_include_directories(third_party_vulkan SYSTEM PUBLIC ${VOLK_INCLUDE_DIR} ${VULKAN_INCLUDE_DIR})
target_link_libraries(third_party_vulkan PUBLIC ${CMAKE_DL_LIBS})

# glslang compiles GLSL to SPIR-V, SPIRV-Tools optimises it. The static archives' names differ
# between distributions (OGLCompiler and HLSL are gone since glslang 12/13), so each is used if it
# exists. tools/windows/libraries builds glslang without SPIRV-Tools.
add_library(third_party_glslang INTERFACE)
find_path(GLSLANG_INCLUDE_DIR glslang/Public/ShaderLang.h REQUIRED)
target_include_directories(third_party_glslang SYSTEM INTERFACE ${GLSLANG_INCLUDE_DIR})
set(glslang_archives)
foreach(archive glslang MachineIndependent GenericCodeGen OSDependent OGLCompiler HLSL SPIRV glslang-default-resource-limits SPIRV-Tools-opt SPIRV-Tools)
  find_library(${archive}_ARCHIVE lib${archive}.a)
  if(${archive}_ARCHIVE)
    list(APPEND glslang_archives ${${archive}_ARCHIVE})
  elseif(archive STREQUAL "glslang" OR (archive MATCHES "^SPIRV-Tools" AND NOT WIN32))
    message(FATAL_ERROR "lib${archive}.a not found: install glslang-dev and spirv-tools")
  endif()
endforeach()
target_link_libraries(third_party_glslang INTERFACE -Wl,--start-group ${glslang_archives} -Wl,--end-group Threads::Threads)
if(PERCYCLE_SANITIZE)
  # The packages are built without RTTI, which UBSan's vptr check needs for every class it sees.
  target_compile_options(third_party_glslang INTERFACE -fno-sanitize=vptr)
endif()
