# Generated sources: kernels, the record schema and the catalogue are embedded in the binary, so that it runs from any folder, and so
# are its version and commit.

# percycle_embed(OUTPUT FUNCTION HEADER FILE...): writes OUTPUT, which defines `std::string_view FUNCTION(std::string_view file_name)`,
# the text of one of the files by its name, empty when there is none.
set(PERCYCLE_EMBED_SCRIPT ${CMAKE_CURRENT_SOURCE_DIR}/embed.cmake)
function(percycle_embed output function header)
  string(REPLACE ";" "|" files "${ARGN}")
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DFUNCTION=${function} -DHEADER=${header} "-DFILES=${files}" -P ${PERCYCLE_EMBED_SCRIPT}
    DEPENDS ${ARGN} ${PERCYCLE_EMBED_SCRIPT}
    COMMENT "Embedding for ${function}"
    VERBATIM)
endfunction()

file(GLOB kernel_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cl_kernels/*.cl ${PROJECT_SOURCE_DIR}/cl_kernels/*.h
     ${PROJECT_SOURCE_DIR}/shaders/*.comp ${PROJECT_SOURCE_DIR}/shaders/*.glsl)
set(PERCYCLE_EMBEDDED_KERNELS ${CMAKE_CURRENT_BINARY_DIR}/embedded_kernels.cpp)
percycle_embed(${PERCYCLE_EMBEDDED_KERNELS} kernel_source device/kernel_source.hpp ${kernel_files})

set(PERCYCLE_EMBEDDED_SCHEMA ${CMAKE_CURRENT_BINARY_DIR}/embedded_schema.cpp)
percycle_embed(${PERCYCLE_EMBEDDED_SCHEMA} schema_text store/schema_text.hpp ${CMAKE_CURRENT_SOURCE_DIR}/store/record.schema.json)

file(GLOB limit_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/limits/*.toml)
set(PERCYCLE_EMBEDDED_LIMITS ${CMAKE_CURRENT_BINARY_DIR}/embedded_limits.cpp)
percycle_embed(${PERCYCLE_EMBEDDED_LIMITS} catalogue_text limits/catalogue_text.hpp ${limit_files})

set(PERCYCLE_VERSION_SOURCE ${CMAKE_CURRENT_BINARY_DIR}/version.cpp)
add_custom_target(
  percycle_version
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${PERCYCLE_VERSION_SOURCE} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION}
          -P ${CMAKE_CURRENT_SOURCE_DIR}/version.cmake
  BYPRODUCTS ${PERCYCLE_VERSION_SOURCE}
  COMMENT "Looking up the commit"
  VERBATIM)
