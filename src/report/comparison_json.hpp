#pragma once

#include <nlohmann/json.hpp>

#include "report/comparison.hpp"

namespace percycle {

/// The whole comparison with noise. Unknown values are absent.
nlohmann::json to_json(const RunComparison& comparison);

}  // namespace percycle
