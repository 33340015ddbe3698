#include "store/schema.hpp"

#include <fmt/format.h>

#include "store/schema_rules.hpp"
#include "store/schema_text.hpp"

namespace percycle {

struct RecordSchema::Compiled {
  SchemaRules rules{text()};
};

RecordSchema::RecordSchema() : compiled_(std::make_unique<Compiled>()) {}
RecordSchema::~RecordSchema() = default;
RecordSchema::RecordSchema(RecordSchema&&) noexcept = default;
RecordSchema& RecordSchema::operator=(RecordSchema&&) noexcept = default;

std::optional<std::string> RecordSchema::violation(JsonValue line) {
  SchemaRule& root = compiled_->rules.root();
  if (keeps(root, line, nullptr)) return std::nullopt;
  SchemaViolation violation;
  keeps(root, line, &violation);
  return fmt::format("{}: {}", violation.path.empty() ? "the line" : violation.path.substr(1), violation.what);
}

std::string_view RecordSchema::text() { return schema_text("record.schema.json"); }

}  // namespace percycle
