#pragma once

#include <optional>
#include <string_view>

#include "json/convert.hpp"
#include "json/json_tree.hpp"
#include "store/record.hpp"

namespace percycle {

// to_json() and from_json() of json/convert.hpp exist for these structs and for their members'
// structs.

template <>
nlohmann::json to_json(const Record& value);
template <>
Record from_json(const nlohmann::json& json);

/// The record of a plain line with a point or its start, which most lines are, in a fraction of
/// from_json()'s time. Empty for any other line; from_json() reads it or names its fault. `tree`: a
/// buffer.
std::optional<Record> quick_record(std::string_view line, JsonTree& tree);

/// The published JSON Schema of one record line, made from the declarations in
/// store/record_fields.hpp.
std::string record_schema();

}  // namespace percycle
