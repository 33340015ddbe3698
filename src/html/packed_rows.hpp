#pragma once

#include <nlohmann/json.hpp>

namespace percycle {

/// A list of objects with the same members, as {"keys": the members' names, "rows": their values}: a row leaves out the leading values that the row
/// before has too. Of a line's points that is all but x and y, a quarter of the bytes. A list of anything else as it is. report.js has the way back.
nlohmann::json packed_rows(nlohmann::json list);

/// Packs the data of a chart and of its layers: "values" become "packed".
void pack_data(nlohmann::json& spec);

}  // namespace percycle
