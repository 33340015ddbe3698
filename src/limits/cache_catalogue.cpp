#include "limits/cache_catalogue.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <initializer_list>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/units.hpp"
#include "limits/catalogue_text.hpp"

namespace percycle {
namespace {

/// Where a node stands, for messages.
std::string at(const toml::node& node, std::string_view file_name) {
  return fmt::format("{}:{}", file_name, node.source().begin.line);
}

/// One table of the file; every key that is asked for is checked, every other one refused.
class Table {
 public:
  Table(const toml::table& table, std::string_view file_name, std::initializer_list<std::string_view> known)
      : table_(table), file_name_(file_name) {
    for (const auto& [key, value] : table_) {
      if (std::find(known.begin(), known.end(), key.str()) == known.end()) {
        throw UsageError(fmt::format("{}: unknown key '{}'", at(value, file_name_), key.str()));
      }
    }
  }

  /// Names the line of `key`, or of the table where there is no such key.
  [[noreturn]] void fail(std::string_view key, std::string_view what) const {
    const toml::node* node = table_.get(key);
    throw UsageError(fmt::format("{}: {}", at(node != nullptr ? *node : table_, file_name_), what));
  }

  bool has(std::string_view key) const { return table_.contains(key); }

  std::string text(std::string_view key) const {
    const auto value = table_[key].value_exact<std::string>();
    if (!value || value->empty()) fail(key, fmt::format("'{}' must be a text that is not empty", key));
    return *value;
  }

  std::vector<std::string> texts(std::string_view key) const {
    const toml::array* array = table_[key].as_array();
    if (array == nullptr || array->empty()) fail(key, fmt::format("'{}' must be a list of texts", key));
    std::vector<std::string> result;
    for (const toml::node& node : *array) {
      const auto value = node.value_exact<std::string>();
      if (!value || value->empty()) fail(key, fmt::format("'{}' must be a list of texts", key));
      result.push_back(*value);
    }
    return result;
  }

  std::regex pattern(std::string_view key) const {
    const std::string value = text(key);
    try {
      return std::regex(value, std::regex::ECMAScript | std::regex::icase);
    } catch (const std::regex_error&) {
      fail(key, fmt::format("'{}' is no regular expression: {}", key, value));
    }
  }

  std::vector<std::uint64_t> sizes(std::string_view key) const {
    std::vector<std::uint64_t> result;
    for (const std::string& value : texts(key)) {
      try {
        result.push_back(parse_bytes(value));
      } catch (const UsageError& error) {
        fail(key, error.what());
      }
      const bool ascending = result.size() == 1 || result[result.size() - 2] < result.back();
      if (result.back() == 0 || !ascending) fail(key, fmt::format("'{}' must be sizes in ascending order", key));
    }
    return result;
  }

  std::uint64_t line_bytes(std::string_view key) const {
    const auto value = table_[key].value_exact<std::int64_t>();
    if (!value || *value < 1 || *value > 65536) fail(key, fmt::format("'{}' must be a whole number of bytes, 1 to 65536", key));
    return static_cast<std::uint64_t>(*value);
  }

  /// A key that only ever says "true".
  bool flag(std::string_view key) const {
    if (!has(key)) return false;
    if (table_[key].value_exact<bool>() != true) fail(key, fmt::format("'{}' must be true or absent", key));
    return true;
  }

 private:
  const toml::table& table_;
  std::string_view file_name_;
};

CacheRule cache_rule(const Table& table, const toml::table& sources, std::set<std::string>& cited) {
  const std::string key = table.text("source");
  const auto source = sources[key].value_exact<std::string>();
  if (!source) table.fail("source", fmt::format("unknown source '{}'", key));
  cited.insert(key);

  CacheFact fact{.what = table.text("what"),
                 .paths = table.texts("paths"),
                 .sizes = table.sizes("sizes"),
                 .up_to = table.flag("up_to"),
                 .shared_with = table.has("shared_with") ? table.text("shared_with") : "",
                 .line = table.has("line") ? std::optional(table.line_bytes("line")) : std::nullopt,
                 .source = *source,
                 .quoted = table.text("quoted")};
  if (!fact.shared_with.empty() && !fact.up_to) table.fail("shared_with", "'shared_with' needs 'up_to'");
  return {.architectures = table.texts("architectures"),
          .device = table.has("device") ? std::optional(table.pattern("device")) : std::nullopt,
          .fact = std::move(fact)};
}

toml::table parse(std::string_view text, std::string_view file_name) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw UsageError(fmt::format("{}:{}: {}", file_name, error.source().begin.line, error.description()));
  }
}

}  // namespace

std::vector<CacheRule> parse_cache_rules(std::string_view text, std::string_view file_name) {
  const toml::table root = parse(text, file_name);
  const Table file(root, file_name, {"sources", "cache"});
  const toml::table* sources = root["sources"].as_table();
  if (sources == nullptr) file.fail("sources", "'sources' must be a table");
  const toml::array* caches = root["cache"].as_array();
  if (caches == nullptr || !caches->is_array_of_tables()) file.fail("cache", "'cache' must be an array of tables");

  std::set<std::string> cited;
  std::vector<CacheRule> rules;
  for (const toml::node& node : *caches) {
    const Table table(*node.as_table(), file_name,
                      {"architectures", "device", "what", "paths", "sizes", "up_to", "shared_with", "line", "source", "quoted"});
    rules.push_back(cache_rule(table, *sources, cited));
  }
  for (const auto& [key, value] : *sources) {
    if (!cited.contains(std::string(key.str()))) {
      throw UsageError(fmt::format("{}: source '{}' is cited nowhere", at(value, file_name), key.str()));
    }
  }
  return rules;
}

std::vector<CacheFact> cache_facts(std::string_view architecture, std::string_view device_name) {
  static const std::vector<CacheRule> rules = parse_cache_rules(catalogue_text("caches.toml"), "caches.toml");
  const std::string name(device_name);
  std::vector<const CacheRule*> fitting;
  std::set<std::string> of_the_device;
  for (const CacheRule& rule : rules) {
    const auto& all = rule.architectures;
    if (std::find(all.begin(), all.end(), architecture) == all.end()) continue;
    if (rule.device && !std::regex_search(name, *rule.device)) continue;
    fitting.push_back(&rule);
    if (rule.device) of_the_device.insert(rule.fact.what);
  }
  std::vector<CacheFact> facts;
  for (const CacheRule* rule : fitting) {
    if (rule->device || !of_the_device.contains(rule->fact.what)) facts.push_back(rule->fact);
  }
  return facts;
}

}  // namespace percycle
