#include "limits/architecture_rules.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>

#include "core/error.hpp"

namespace percycle {
namespace {

/// One table of the file; every key that is asked for is checked, every other one refused.
class Table {
 public:
  Table(const toml::table& table, std::string where, std::initializer_list<std::string_view> known)
      : table_(table), where_(std::move(where)) {
    for (const auto& [key, value] : table_) {
      if (std::find(known.begin(), known.end(), key.str()) == known.end()) fail(fmt::format("unknown key '{}'", key.str()));
    }
  }

  const std::string& where() const { return where_; }

  [[noreturn]] void fail(std::string_view what) const { throw UsageError(fmt::format("{}: {}", where_, what)); }

  bool has(std::string_view key) const { return table_.contains(key); }

  std::string text(std::string_view key) const {
    const auto value = table_[key].value_exact<std::string>();
    if (!value || value->empty()) fail(fmt::format("'{}' must be a text that is not empty", key));
    return *value;
  }

  std::regex pattern(std::string_view key) const {
    const std::string value = text(key);
    try {
      return std::regex(value, std::regex::ECMAScript | std::regex::icase);
    } catch (const std::regex_error&) {
      fail(fmt::format("'{}' is no regular expression: {}", key, value));
    }
  }

  std::uint32_t positive(std::string_view key) const {
    const auto value = table_[key].value_exact<std::int64_t>();
    if (!value || *value < 1 || *value > 1024) fail(fmt::format("'{}' must be a whole number from 1 to 1024", key));
    return static_cast<std::uint32_t>(*value);
  }

  /// The tables of the array `key`; none when it is absent.
  std::vector<const toml::table*> tables(std::string_view key) const {
    std::vector<const toml::table*> result;
    if (!has(key)) return result;
    const toml::array* array = table_[key].as_array();
    if (array == nullptr || !array->is_array_of_tables()) fail(fmt::format("'{}' must be an array of tables", key));
    for (const toml::node& node : *array) result.push_back(node.as_table());
    return result;
  }

 private:
  const toml::table& table_;
  std::string where_;
};

/// The citations by key; each rule must name one, and each must be named, so that none outlives its rules.
class Sources {
 public:
  Sources(const toml::table* table, std::string_view file_name) : file_name_(file_name) {
    if (table == nullptr) throw UsageError(fmt::format("{}: 'sources' must be a table", file_name));
    for (const auto& [key, value] : *table) {
      if (!value.is_string()) throw UsageError(fmt::format("{}: source '{}' must be a text", file_name, key.str()));
      cited_[std::string(key.str())] = false;
    }
  }

  void cite(const Table& table) {
    const auto source = cited_.find(table.text("source"));
    if (source == cited_.end()) table.fail(fmt::format("unknown source '{}'", table.text("source")));
    source->second = true;
  }

  void check_all_cited() const {
    for (const auto& [key, cited] : cited_) {
      if (!cited) throw UsageError(fmt::format("{}: source '{}' is cited nowhere", file_name_, key));
    }
  }

 private:
  std::string file_name_;
  std::map<std::string, bool> cited_;
};

RecognitionRule recognition_rule(const Table& table, const Architecture& architecture) {
  using Kind = RecognitionRule::Kind;
  static constexpr std::pair<std::string_view, Kind> kKinds[] = {
      {"capability", Kind::capability}, {"name", Kind::name}, {"shared_capability", Kind::shared_capability}};
  std::optional<RecognitionRule> rule;
  for (const auto& [key, kind] : kKinds) {
    if (!table.has(key)) continue;
    if (rule) table.fail("a rule has only one of 'capability', 'name' and 'shared_capability'");
    rule = RecognitionRule{.kind = kind, .pattern = table.pattern(key), .architecture = architecture};
  }
  if (!rule) table.fail("a rule needs 'capability', 'name' or 'shared_capability'");
  return *rule;
}

CountRule count_rule(const Table& table) {
  const std::optional<Api> api = parse_api(table.text("api"));
  if (!api) table.fail(fmt::format("'{}' is no API", table.text("api")));
  return {.vendor = table.text("vendor"),
          .architecture = table.pattern("architecture"),
          .api = *api,
          .platform = table.has("platform") ? std::optional(table.pattern("platform")) : std::nullopt,
          .counts = table.text("counts"),
          .per_unit = table.positive("per_unit"),
          .unless = table.has("unless") ? table.text("unless") : ""};
}

toml::table parse(std::string_view text, std::string_view file_name) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw UsageError(fmt::format("{}: line {}: {}", file_name, error.source().begin.line, error.description()));
  }
}

}  // namespace

ArchitectureRules parse_architecture_rules(std::string_view text, std::string_view file_name) {
  const toml::table root = parse(text, file_name);
  const Table file(root, std::string(file_name), {"sources", "count", "architecture"});
  Sources sources(root["sources"].as_table(), file_name);

  ArchitectureRules rules;
  for (const toml::table* node : file.tables("count")) {
    const Table table(*node, fmt::format("{}: count", file_name),
                      {"vendor", "architecture", "api", "platform", "counts", "per_unit", "unless", "source"});
    sources.cite(table);
    rules.counts.push_back(count_rule(table));
  }
  for (const toml::table* node : file.tables("architecture")) {
    const std::string name = (*node)["name"].value_or("without a name");
    const Table table(*node, fmt::format("{}: architecture {}", file_name, name), {"vendor", "name", "unit", "recognise"});
    const Architecture architecture{.vendor = table.text("vendor"), .name = table.text("name"), .unit_name = table.text("unit")};
    for (const toml::table* rule : table.tables("recognise")) {
      const Table checked(*rule, table.where(), {"capability", "name", "shared_capability", "source"});
      sources.cite(checked);
      rules.recognition.push_back(recognition_rule(checked, architecture));
    }
  }
  sources.check_all_cited();
  return rules;
}

}  // namespace percycle
