#include "core/version.hpp"

namespace percycle {

const char* tool_version() { return "0.1.0"; }
const char* tool_commit() { return ""; }
const char* tool_date() { return ""; }
const char* tool_compiler() { return ""; }
std::span<const LinkedLibrary> linked_libraries() { return {}; }

}  // namespace percycle
