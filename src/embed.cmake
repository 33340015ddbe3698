# Writes OUTPUT: FUNCTION(file_name) -> the file's text, FUNCTION_names() -> the names of the files,
# and FUNCTION_hash() -> a hash of all of them, of kernels without their comments. Run by
# percycle_embed().
string(REPLACE "|" ";" files "${FILES}")
set(body "#include \"${HEADER}\"\n\n#include <span>\n#include <string_view>\n\nnamespace percycle {\n\nstd::string_view ${FUNCTION}(std::string_view file_name) {\n")
set(all "")
set(names "")
foreach(file ${files})
  get_filename_component(name ${file} NAME)
  file(READ ${file} text HEX)
  string(APPEND names "\"${name}\", ")
  set(hashed "${text}")
  if(name MATCHES "[.](cl|h|comp|glsl)$")
    # Without comments and lines that hold nothing else: a new explanation makes no other kernel.
    file(READ ${file} hashed)
    string(REGEX REPLACE "[ \t]*//[^\n]*" "" hashed "${hashed}")
    string(REGEX REPLACE "\n\n+" "\n" hashed "\n${hashed}")
  endif()
  string(APPEND all "${name}:${hashed};")
  # Bytes as numbers, not as a literal: no limit on length, no escaping.
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${text}")
  string(APPEND body "  if (file_name == \"${name}\") {\n    static constexpr char kText[] = {${bytes}};\n    return {kText, sizeof(kText)};\n  }\n")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 16 hash)
string(APPEND body "  return {};\n}\n\nstd::span<const std::string_view> ${FUNCTION}_names() {\n  static constexpr std::string_view kNames[] = {${names}};\n  return kNames;\n}\n\nstd::string_view ${FUNCTION}_hash() { return \"${hash}\"; }\n\n}  // namespace percycle\n")
file(WRITE ${OUTPUT} "${body}")
