#pragma once

#include "json/convert.hpp"
#include "store/record.hpp"

namespace percycle {

// to_json() and from_json() of json/convert.hpp exist for these structs and for their members'
// structs.

template <>
nlohmann::json to_json(const Record& value);
template <>
Record from_json(const nlohmann::json& json);

/// The published JSON Schema of one record line, made from the declarations in
/// store/record_fields.hpp.
std::string record_schema();

}  // namespace percycle
