#pragma once

namespace percycle {

/// The version of this build, "0.1.0".
const char* tool_version();

/// The commit this build was made from, twelve hexadecimal digits, with "-dirty" when tracked files differed from it.
/// Empty when the sources were not a git checkout.
const char* tool_commit();

}  // namespace percycle
