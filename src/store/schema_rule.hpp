#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "device/json_value.hpp"

namespace percycle {

/// What a `pattern` asks of a text. Names and ids come again on every line and std::regex takes a microsecond for each, so those that
/// fit are remembered. Not thread-safe.
class SchemaPattern {
 public:
  explicit SchemaPattern(const std::string& source) : source_(source), regex_(source, std::regex::optimize) {}

  bool fits(std::string_view text);
  const std::string& source() const { return source_; }

 private:
  std::string source_;
  std::regex regex_;
  std::set<std::string, std::less<>> known_;
};

/// A type that a schema can ask for.
struct SchemaType {
  std::string_view keyword;  ///< "integer"
  std::string_view words;    ///< "a whole number"
  unsigned types;            ///< a bit for each JsonNode::Type that is of it

  bool fits(JsonValue value) const { return (types >> static_cast<unsigned>(value.type()) & 1u) != 0; }
};

/// The type of this name; nullptr when there is none (or it is "null", which no record has).
const SchemaType* find_schema_type(std::string_view keyword);

/// One schema of a JSON Schema document: a field for each keyword (https://json-schema.org/draft-07/json-schema-validation), absent
/// ones asking nothing. Other schemas are pointed to; SchemaRules owns them all.
struct SchemaRule {
  std::vector<const SchemaType*> type;
  std::vector<std::variant<std::string, double>> values;  ///< `enum`, or the one of `const`
  std::optional<double> minimum;
  std::optional<double> exclusive_minimum;
  std::size_t min_length = 0;
  std::unique_ptr<SchemaPattern> pattern;

  std::size_t min_items = 0;
  SchemaRule* items = nullptr;

  std::size_t min_properties = 0;
  std::size_t max_properties = std::numeric_limits<std::size_t>::max();
  std::vector<std::string> required;                            ///< sorted
  std::vector<std::pair<std::string, SchemaRule*>> properties;  ///< sorted
  bool no_others = false;                                       ///< `additionalProperties` is false
  SchemaRule* additional_properties = nullptr;
  SchemaRule* property_names = nullptr;

  std::vector<SchemaRule*> all_of;
  SchemaRule* excluded = nullptr;   ///< `not`
  SchemaRule* condition = nullptr;  ///< `if`
  SchemaRule* then = nullptr;
  SchemaRule* otherwise = nullptr;  ///< `else`

  /// The names of the last object whose names kept the rule, with the rule of each member, if there is one: most objects have the names of the one before.
  std::vector<std::pair<std::string, SchemaRule*>> last_names{};
};

/// Where a value breaks a rule, and how.
struct SchemaViolation {
  std::string path;  ///< ".measurement.samples[3].ops"; empty for the value itself
  std::string what;  ///< "not a whole number"
};

/// Whether the value keeps the rule. If it does not and `violation` is not nullptr, that tells the first thing that it breaks; telling
/// takes longer than finding out.
bool keeps(SchemaRule& rule, JsonValue value, SchemaViolation* violation);

}  // namespace percycle
