#include "limits/catalogue_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace percycle {
namespace {

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

}  // namespace

toml::table parse_catalogue(std::string_view text, std::string_view file_name) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw UsageError(fmt::format("{}:{}: {}", file_name, error.source().begin.line, error.description()));
  }
}

std::string catalogue_position(const toml::node& node, std::string_view file_name) {
  return fmt::format("{}:{}", file_name, node.source().begin.line);
}

CatalogueTable::CatalogueTable(const toml::table& table, std::string_view file_name, const std::vector<std::string_view>& known)
    : table_(table), file_name_(file_name) {
  for (const auto& [key, value] : table_) {
    if (std::find(known.begin(), known.end(), key.str()) == known.end()) {
      throw UsageError(fmt::format("{}: unknown key '{}'", catalogue_position(value, file_name_), key.str()));
    }
  }
}

void CatalogueTable::fail(std::string_view key, std::string_view what) const {
  const toml::node* node = table_.get(key);
  throw UsageError(fmt::format("{}: {}", catalogue_position(node != nullptr ? *node : table_, file_name_), what));
}

std::string CatalogueTable::text(std::string_view key) const {
  const auto value = table_[key].value_exact<std::string>();
  if (!value || is_blank(*value)) fail(key, fmt::format("'{}' must be a text that is not empty", key));
  return *value;
}

std::vector<std::string> CatalogueTable::texts(std::string_view key) const {
  const toml::array* array = table_[key].as_array();
  if (array == nullptr || array->empty()) fail(key, fmt::format("'{}' must be a list of texts", key));
  std::vector<std::string> result;
  for (const toml::node& node : *array) {
    const auto value = node.value_exact<std::string>();
    if (!value || is_blank(*value)) fail(key, fmt::format("'{}' must be a list of texts", key));
    result.push_back(*value);
  }
  return result;
}

std::regex CatalogueTable::pattern(std::string_view key) const {
  const std::string value = text(key);
  try {
    return std::regex(value, std::regex::ECMAScript | std::regex::icase);
  } catch (const std::regex_error&) {
    fail(key, fmt::format("'{}' is no regular expression: {}", key, value));
  }
}

bool CatalogueTable::flag(std::string_view key) const {
  if (!has(key)) return false;
  if (table_[key].value_exact<bool>() != true) fail(key, fmt::format("'{}' must be true or absent", key));
  return true;
}

std::vector<const toml::table*> CatalogueTable::tables(std::string_view key) const {
  std::vector<const toml::table*> result;
  if (!has(key)) return result;
  const toml::array* array = table_[key].as_array();
  if (array == nullptr || !array->is_array_of_tables()) fail(key, fmt::format("'{}' must be an array of tables", key));
  for (const toml::node& node : *array) result.push_back(node.as_table());
  return result;
}

CatalogueSources::CatalogueSources(const CatalogueTable& file) {
  const toml::node* node = file.node("sources");
  if (node == nullptr || !node->is_table()) file.fail("sources", "'sources' must be a table");
  for (const auto& [key, value] : *node->as_table()) {
    const auto text = value.value_exact<std::string>();
    const std::string position = catalogue_position(value, file.file_name());
    if (!text || is_blank(*text)) throw UsageError(fmt::format("{}: source '{}' must be a text", position, key.str()));
    sources_[std::string(key.str())] = {.text = *text, .position = position};
  }
}

std::string CatalogueSources::cite(const CatalogueTable& table) {
  const std::string key = table.text("source");
  const auto source = sources_.find(key);
  if (source == sources_.end()) table.fail("source", fmt::format("unknown source '{}'", key));
  source->second.cited = true;
  return source->second.text;
}

void CatalogueSources::check_all_cited() const {
  for (const auto& [key, source] : sources_) {
    if (!source.cited) throw UsageError(fmt::format("{}: source '{}' is cited nowhere", source.position, key));
  }
}

}  // namespace percycle
