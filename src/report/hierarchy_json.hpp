#pragma once

#include <nlohmann/json.hpp>

#include "analysis/hierarchy.hpp"

namespace percycle {

/// The hierarchy as `percycle analyze --json` prints it; docs/commands.md describes the format.
nlohmann::json to_json(const Hierarchy& hierarchy);

}  // namespace percycle
