#include "device/sim/model_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "core/error.hpp"

namespace percycle::sim {
namespace {

[[noreturn]] void fail(const std::string& where, const toml::node& node, std::string_view what) {
  throw UsageError(fmt::format("{}:{}: {}", where, node.source().begin.line, what));
}

bool is_figure(const std::vector<Figure>& figures, std::string_view key) {
  return std::any_of(figures.begin(), figures.end(), [&](const Figure& figure) { return figure.key == key; });
}

std::set<std::string> cited_keys(const toml::table& file, const std::string& where, const std::vector<Figure>& figures) {
  std::set<std::string> keys;
  const toml::node* node = file.get("sources");
  if (node == nullptr) return keys;
  if (!node->is_table()) fail(where, *node, "'sources' must be a table");
  for (const auto& [key, value] : *node->as_table()) {
    if (value.value_exact<std::string>().value_or("").empty())
      fail(where, value, fmt::format("the source of '{}' must be a text", key.str()));
    if (!is_figure(figures, key.str()))
      fail(where, value, fmt::format("a source for '{}', which is no figure of this model", key.str()));
    keys.emplace(key.str());
  }
  return keys;
}

}  // namespace

void check_sources(const toml::table& file, const std::string& where, const std::vector<Figure>& figures) {
  std::set<std::string> named = cited_keys(file, where, figures);
  bool all_others = false;
  if (const toml::node* node = file.get("assumed")) {
    if (!node->is_array()) fail(where, *node, "'assumed' must be a list of texts");
    for (const toml::node& entry : *node->as_array()) {
      const auto key = entry.value_exact<std::string>();
      if (!key) fail(where, entry, "'assumed' must be a list of texts");
      if (*key == "*") {
        all_others = true;
      } else if (!is_figure(figures, *key)) {
        fail(where, entry, fmt::format("'{}' is assumed, but is no figure of this model", *key));
      } else if (!named.insert(*key).second) {
        fail(where, entry, fmt::format("'{}' is assumed, but was cited or assumed already", *key));
      }
    }
  }
  for (const auto& [key, line] : figures) {
    if (!all_others && named.count(key) == 0) {
      throw UsageError(fmt::format("{}:{}: '{}' has no source: cite one in [sources] or name it in 'assumed'", where, line, key));
    }
  }
}

}  // namespace percycle::sim
