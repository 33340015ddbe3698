# Writes OUTPUT: the functions of core/version.hpp. Runs at every build, so that it has the built
# commit, not the configured one. The file changes only with its text, so that an unchanged commit
# rebuilds nothing. LIBRARIES: "NAME|VERSION|LICENCE" each.
set(commit "")
set(date "")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE_DIR}/.git)
  # safe.directory: root may build another user's checkout.
  set(git ${GIT} -c safe.directory=* -C ${SOURCE_DIR})
  execute_process(COMMAND ${git} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${git} status --porcelain --untracked-files=no OUTPUT_VARIABLE changes ERROR_QUIET)
  if(commit AND changes)
    string(APPEND commit "-dirty")
  endif()
  execute_process(COMMAND ${git} log -1 --format=%cd --date=short OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  string(TIMESTAMP date "%Y-%m-%d" UTC)
endif()
set(libraries "")
foreach(library ${LIBRARIES})
  string(REPLACE "|" "\", \"" members "${library}")
  string(APPEND libraries "    {\"${members}\"},\n")
endforeach()

set(text "#include \"core/version.hpp\"

namespace percycle {

const char* tool_version() { return \"${VERSION}\"; }
const char* tool_commit() { return \"${commit}\"; }
const char* tool_date() { return \"${date}\"; }
const char* tool_compiler() { return \"${COMPILER}\"; }

std::span<const LinkedLibrary> linked_libraries() {
  static constexpr LinkedLibrary kLibraries[] = {
${libraries}  };
  return kLibraries;
}

}  // namespace percycle
")
set(before "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT before STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
