#pragma once

#include <nlohmann/json.hpp>

#include "report/comparison.hpp"

namespace percycle {

/// The whole comparison, what is noise too. What is not known is absent.
nlohmann::json to_json(const RunComparison& comparison);

}  // namespace percycle
