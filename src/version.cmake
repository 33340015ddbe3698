# Writes OUTPUT: tool_version() and tool_commit(). Runs at every build, so that it has the built
# commit, not the configured one. The file changes only with its text, so that an unchanged commit
# rebuilds nothing.
set(commit "")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE_DIR}/.git)
  # safe.directory: root may build another user's checkout.
  set(git ${GIT} -c safe.directory=* -C ${SOURCE_DIR})
  execute_process(COMMAND ${git} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${git} status --porcelain --untracked-files=no OUTPUT_VARIABLE changes ERROR_QUIET)
  if(commit AND changes)
    string(APPEND commit "-dirty")
  endif()
endif()

set(text "#include \"core/version.hpp\"

namespace percycle {

const char* tool_version() { return \"${VERSION}\"; }
const char* tool_commit() { return \"${commit}\"; }

}  // namespace percycle
")
set(before "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT before STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
