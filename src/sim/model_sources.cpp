#include "sim/model_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace percycle::sim {
namespace {

bool is_figure(const std::vector<ModelFigure>& figures, std::string_view key) {
  return std::any_of(figures.begin(), figures.end(), [&](const ModelFigure& figure) { return figure.key == key; });
}

std::set<std::string> cited_keys(const StrictTable& file, const std::vector<ModelFigure>& figures) {
  std::set<std::string> keys;
  const toml::table* sources = file.table("sources");
  if (sources == nullptr) return keys;
  for (const auto& [key, value] : *sources) {
    const std::uint32_t line = value.source().begin.line;
    if (value.value_exact<std::string>().value_or("").empty())
      file.fail_at(line, fmt::format("the source of '{}' must be a text", key.str()));
    if (!is_figure(figures, key.str()))
      file.fail_at(line, fmt::format("a source for '{}', which is no figure of this model", key.str()));
    keys.emplace(key.str());
  }
  return keys;
}

}  // namespace

void check_sources(const StrictTable& file, const std::vector<ModelFigure>& figures) {
  std::set<std::string> named = cited_keys(file, figures);
  bool all_others = false;
  if (const toml::node* node = file.node("assumed")) {
    if (!node->is_array()) file.fail("assumed", "'assumed' must be a list of texts");
    for (const toml::node& entry : *node->as_array()) {
      const std::uint32_t line = entry.source().begin.line;
      const auto key = entry.value_exact<std::string>();
      if (!key) file.fail_at(line, "'assumed' must be a list of texts");
      if (*key == "*") {
        all_others = true;
      } else if (!is_figure(figures, *key)) {
        file.fail_at(line, fmt::format("'{}' is assumed, but is no figure of this model", *key));
      } else if (!named.insert(*key).second) {
        file.fail_at(line, fmt::format("'{}' is assumed, but was cited or assumed already", *key));
      }
    }
  }
  for (const auto& [key, line] : figures) {
    if (!all_others && named.count(key) == 0) {
      file.fail_at(line, fmt::format("'{}' has no source: cite one in [sources] or name it in 'assumed'", key));
    }
  }
}

}  // namespace percycle::sim
