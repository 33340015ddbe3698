#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace percycle {

/// The published JSON Schema (record.schema.json) of one record line, compiled once and asked for each line. Not thread-safe.
class RecordSchema {
 public:
  RecordSchema();
  ~RecordSchema();
  RecordSchema(RecordSchema&&) noexcept;
  RecordSchema& operator=(RecordSchema&&) noexcept;

  /// What the line breaks, e.g. "measurement.samples[3].ops: Value type not permitted by 'type' constraint."; empty when it is
  /// valid.
  std::optional<std::string> violation(const nlohmann::json& line);

  /// The text of the schema, as `percycle validate --schema` prints it.
  static std::string_view text();

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace percycle
