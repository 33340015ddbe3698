# cmake -DCHARTS=tools/charts -DFOLDER=DIR -P fetch_vega.cmake: fetches the packages that draw the
# charts of reports from the npm registry, in the versions of package-lock.json, and writes
# NAME.min.js and NAME.LICENSE of each to DIR. No npm is needed: its Debian package brings 400
# others. The archives stay in percycle's cache, so that a later build needs no network.
# Environment: npm_config_registry names another registry, SSL_CERT_FILE the certificates of a
# proxy.
set(packages vega vega-lite vega-embed)
file(READ ${CHARTS}/package-lock.json lock)

set(registry https://registry.npmjs.org)
if(NOT "$ENV{npm_config_registry}" STREQUAL "")
  string(REGEX REPLACE "/$" "" registry "$ENV{npm_config_registry}")
endif()
if(NOT "$ENV{SSL_CERT_FILE}" STREQUAL "")
  set(CMAKE_TLS_CAINFO $ENV{SSL_CERT_FILE})
endif()
set(cache ${FOLDER})
if(NOT "$ENV{PERCYCLE_CACHE}" STREQUAL "")
  set(cache $ENV{PERCYCLE_CACHE}/vega)
elseif(NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
  set(cache $ENV{XDG_CACHE_HOME}/percycle/vega)
elseif(NOT "$ENV{HOME}" STREQUAL "")
  set(cache $ENV{HOME}/.cache/percycle/vega)
endif()

# hex_of(OUTPUT BASE64): npm writes checksums in base64, CMake compares hexadecimal digits. Two
# characters of base64 are three hexadecimal digits.
function(hex_of output base64)
  set(alphabet ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  string(REPLACE "=" "" rest "${base64}")
  set(hex)
  while(rest MATCHES "^(.)(.)(.*)$")
    set(rest "${CMAKE_MATCH_3}")
    string(FIND ${alphabet} "${CMAKE_MATCH_1}" high)
    string(FIND ${alphabet} "${CMAKE_MATCH_2}" low)
    math(EXPR digits "4096 + ${high} * 64 + ${low}" OUTPUT_FORMAT HEXADECIMAL)
    string(SUBSTRING ${digits} 3 3 digits)  # 0x1ddd
    string(APPEND hex ${digits})
  endwhile()
  string(SUBSTRING ${hex} 0 128 hex)  # SHA-512; the last digit is padding
  set(${output} ${hex} PARENT_SCOPE)
endfunction()

foreach(name ${packages})
  string(JSON version GET "${lock}" packages node_modules/${name} version)
  string(JSON integrity GET "${lock}" packages node_modules/${name} integrity)
  string(REGEX REPLACE "^sha512-" "" integrity "${integrity}")
  hex_of(wanted "${integrity}")
  set(archive ${cache}/${name}-${version}.tgz)
  set(found)
  if(EXISTS ${archive})
    file(SHA512 ${archive} found)
  endif()
  if(NOT found STREQUAL wanted)
    set(url ${registry}/${name}/-/${name}-${version}.tgz)
    # Builds of several folders may fetch at once: each has its own file until it is whole.
    string(RANDOM LENGTH 12 unique)
    file(DOWNLOAD ${url} ${archive}.${unique} STATUS status INACTIVITY_TIMEOUT 60 TLS_VERIFY ON)
    list(POP_FRONT status code reason)
    if(NOT code EQUAL 0)
      file(REMOVE ${archive}.${unique})
      message(FATAL_ERROR "error: cannot fetch ${url}: ${reason}. It draws the charts of reports; is the network there?")
    endif()
    file(SHA512 ${archive}.${unique} found)
    if(NOT found STREQUAL wanted)
      file(REMOVE ${archive}.${unique})
      message(FATAL_ERROR "error: ${url} has another checksum than tools/charts/package-lock.json")
    endif()
    file(RENAME ${archive}.${unique} ${archive})
  endif()
  file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${FOLDER}/${name} PATTERNS "*/build/${name}.min.js" "*/LICENSE")
  file(COPY_FILE ${FOLDER}/${name}/package/build/${name}.min.js ${FOLDER}/${name}.min.js)
  file(COPY_FILE ${FOLDER}/${name}/package/LICENSE ${FOLDER}/${name}.LICENSE)
endforeach()
