#include "limits/cache_catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/units.hpp"
#include "limits/catalogue_text.hpp"
#include "limits/citations.hpp"

namespace percycle {
namespace {

std::vector<std::uint64_t> sizes(const StrictTable& table, std::string_view key) {
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

CacheRule cache_rule(const StrictTable& table, Citations& sources) {
  CacheFact fact{.name = table.text("name"),
                 .paths = table.texts("paths"),
                 .sizes = sizes(table, "sizes"),
                 .line = table.has("line") ? std::optional<std::uint64_t>(table.whole("line", 1, 65536)) : std::nullopt,
                 .source = sources.cite(table),
                 .quoted = table.text("quoted")};
  return {.architectures = table.texts("architectures"),
          .device = table.has("device") ? std::optional(table.pattern("device")) : std::nullopt,
          .fact = std::move(fact)};
}

}  // namespace

std::vector<CacheRule> parse_cache_rules(std::string_view text, std::string_view file_name) {
  const toml::table root = parse_toml(text, file_name);
  const StrictTable file(root, file_name, "", {"sources", "cache"});
  Citations sources(file);
  std::vector<CacheRule> rules;
  for (const toml::table* node : file.tables("cache")) {
    const StrictTable table(*node, file_name, "",
                            {"architectures", "device", "name", "paths", "sizes", "line", "source", "quoted"});
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
    if (rule.device) of_the_device.insert(rule.fact.name);
  }
  std::vector<CacheFact> facts;
  for (const CacheRule* rule : fitting) {
    if (rule->device || !of_the_device.contains(rule->fact.name)) facts.push_back(rule->fact);
  }
  return facts;
}

}  // namespace percycle
