#pragma once

#include <span>

namespace percycle {

/// The version of this build, "0.1.0".
const char* tool_version();

/// The commit of this build: twelve hexadecimal digits, with "-dirty" if tracked files differed
/// from it. Empty if the sources were not a git checkout.
const char* tool_commit();

/// The day of that commit, or of SOURCE_DATE_EPOCH: "2026-11-25". Empty if neither is known.
const char* tool_date();

/// The compiler of this build and its target: "GNU 12.2.0 for x86_64 Linux".
const char* tool_compiler();

/// A third-party library in this binary.
struct LinkedLibrary {
  const char* name;
  const char* version;
  const char* licence;  ///< SPDX
};
std::span<const LinkedLibrary> linked_libraries();

}  // namespace percycle
