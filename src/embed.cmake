# Writes OUTPUT: FUNCTION(file_name) -> the file's text. Run by percycle_embed().
string(REPLACE "|" ";" files "${FILES}")
set(body "#include \"${HEADER}\"\n\nnamespace percycle {\n\nstd::string_view ${FUNCTION}(std::string_view file_name) {\n")
foreach(file ${files})
  get_filename_component(name ${file} NAME)
  file(READ ${file} text HEX)
  # Bytes as numbers, not as a literal: no limit on length, no escaping.
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${text}")
  string(APPEND body "  if (file_name == \"${name}\") {\n    static constexpr char kText[] = {${bytes}};\n    return {kText, sizeof(kText)};\n  }\n")
endforeach()
string(APPEND body "  return {};\n}\n\n}  // namespace percycle\n")
file(WRITE ${OUTPUT} "${body}")
