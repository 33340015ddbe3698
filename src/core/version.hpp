#pragma once

namespace percycle {

/// The version of this build, "0.1.0".
const char* tool_version();

/// The commit of this build: twelve hexadecimal digits, with "-dirty" if tracked files differed
/// from it. Empty if the sources were not a git checkout.
const char* tool_commit();

}  // namespace percycle
