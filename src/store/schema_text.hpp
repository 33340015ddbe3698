#pragma once

#include <string_view>

namespace percycle {

/// The embedded text of "record.schema.json": the published JSON Schema of one record line.
std::string_view schema_text(std::string_view file_name);

}  // namespace percycle
