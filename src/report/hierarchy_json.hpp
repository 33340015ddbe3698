#pragma once

#include <nlohmann/json.hpp>

#include "analysis/hierarchy.hpp"

namespace percycle {

/// The hierarchy as `percycle analyze --json` prints it; the format is described in docs of README.md, section "Analysis as JSON".
nlohmann::json to_json(const Hierarchy& hierarchy);

}  // namespace percycle
