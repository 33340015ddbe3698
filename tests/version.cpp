#include "core/version.hpp"

namespace percycle {

const char* tool_version() { return "0.1.0"; }
const char* tool_commit() { return ""; }

}  // namespace percycle
