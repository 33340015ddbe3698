#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "device/json_value.hpp"

namespace percycle {

/// The published JSON Schema (record.schema.json) of one record line, compiled once and asked for each line. Not thread-safe.
class RecordSchema {
 public:
  RecordSchema();
  ~RecordSchema();
  RecordSchema(RecordSchema&&) noexcept;
  RecordSchema& operator=(RecordSchema&&) noexcept;

  /// What the line breaks, e.g. "measurement.samples[3].ops: not a whole number"; empty when it is valid.
  std::optional<std::string> violation(JsonValue line);

  /// The text of the schema, as `percycle validate --schema` prints it.
  static std::string_view text();

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace percycle
