#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/codegen.hpp"
#include "device/json_value.hpp"

namespace percycle {

/// As JSON and back, exactly, as the functions in store/record_json.hpp do it.
nlohmann::json to_json(const Codegen& codegen);
Codegen codegen_from_json(JsonValue value);

}  // namespace percycle
