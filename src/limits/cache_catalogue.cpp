#include "limits/cache_catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/units.hpp"
#include "limits/catalogue_table.hpp"
#include "limits/catalogue_text.hpp"

namespace percycle {
namespace {

std::vector<std::uint64_t> sizes(const CatalogueTable& table, std::string_view key) {
  std::vector<std::uint64_t> result;
  for (const std::string& value : table.texts(key)) {
    try {
      result.push_back(parse_bytes(value));
    } catch (const UsageError& error) {
      table.fail(key, error.what());
    }
    const bool ascending = result.size() == 1 || result[result.size() - 2] < result.back();
    if (result.back() == 0 || !ascending) table.fail(key, fmt::format("'{}' must be sizes in ascending order", key));
  }
  return result;
}

std::uint64_t line_bytes(const CatalogueTable& table, std::string_view key) {
  const auto value = table.node(key)->value_exact<std::int64_t>();
  if (!value || *value < 1 || *value > 65536)
    table.fail(key, fmt::format("'{}' must be a whole number of bytes, 1 to 65536", key));
  return static_cast<std::uint64_t>(*value);
}

CacheRule cache_rule(const CatalogueTable& table, CatalogueSources& sources) {
  CacheFact fact{.what = table.text("what"),
                 .paths = table.texts("paths"),
                 .sizes = sizes(table, "sizes"),
                 .up_to = table.flag("up_to"),
                 .shared_with = table.optional_text("shared_with"),
                 .line = table.has("line") ? std::optional(line_bytes(table, "line")) : std::nullopt,
                 .source = sources.cite(table),
                 .quoted = table.text("quoted")};
  if (!fact.shared_with.empty() && !fact.up_to) table.fail("shared_with", "'shared_with' needs 'up_to'");
  return {.architectures = table.texts("architectures"),
          .device = table.has("device") ? std::optional(table.pattern("device")) : std::nullopt,
          .fact = std::move(fact)};
}

}  // namespace

std::vector<CacheRule> parse_cache_rules(std::string_view text, std::string_view file_name) {
  const toml::table root = parse_catalogue(text, file_name);
  const CatalogueTable file(root, file_name, {"sources", "cache"});
  CatalogueSources sources(file);
  std::vector<CacheRule> rules;
  for (const toml::table* node : file.tables("cache")) {
    const CatalogueTable table(
        *node, file_name,
        {"architectures", "device", "what", "paths", "sizes", "up_to", "shared_with", "line", "source", "quoted"});
    rules.push_back(cache_rule(table, sources));
  }
  sources.check_all_cited();
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
