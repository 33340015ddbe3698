#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>

#include "device/json_value.hpp"
#include "store/schema_rule.hpp"

namespace percycle {

/// The rules of a JSON Schema document (draft 7). It knows the keywords that record.schema.json uses and refuses a schema with any other,
/// since what it does not know it cannot check.
class SchemaRules {
 public:
  /// Throws std::invalid_argument for what is not JSON, and naming the keyword that is not known or holds what it cannot.
  explicit SchemaRules(std::string_view text);
  SchemaRules(const SchemaRules&) = delete;
  SchemaRules& operator=(const SchemaRules&) = delete;

  /// What the whole value has to keep.
  SchemaRule& root() { return *root_; }

 private:
  SchemaRule* compile(JsonValue schema);
  SchemaRule* refer(std::string_view reference);
  void add_keyword(SchemaRule& rule, JsonValue keyword);
  bool add_value_keyword(SchemaRule& rule, JsonValue keyword);
  bool add_member_keyword(SchemaRule& rule, JsonValue keyword);
  bool add_combining_keyword(SchemaRule& rule, JsonValue keyword);

  JsonDocument document_;
  JsonValue schema_;
  std::deque<SchemaRule> rules_;
  std::map<std::string, SchemaRule*, std::less<>> definitions_;
  SchemaRule* root_;
};

}  // namespace percycle
