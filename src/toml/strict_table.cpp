#include "toml/strict_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/error.hpp"
#include "core/units.hpp"

namespace percycle {
namespace {

/// Larger sizes would only overflow the figures computed from them.
constexpr std::uint64_t kMaxBytes = 256ull * 1024 * kGiB;

constexpr std::size_t kLongestPattern = 1000;

/// The node's text if it is neither empty nor blank.
std::optional<std::string> text_of(const toml::node* node) {
  const auto text = node != nullptr ? node->value_exact<std::string>() : std::nullopt;
  return text && text->find_first_not_of(" \t\r\n") != std::string::npos ? text : std::nullopt;
}

std::optional<double> number_of(const toml::node& node, const NumberRange& range) {
  const auto number = node.is_number() ? node.value<double>() : std::nullopt;
  return number && std::isfinite(*number) && range.holds(*number) ? number : std::nullopt;
}

}  // namespace

toml::table parse_toml(std::string_view text, std::string_view file) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw UsageError(fmt::format("{}:{}: {}", file, error.source().begin.line, error.description()));
  }
}

StrictTable::StrictTable(const toml::table& table, std::string_view file, std::string_view title,
                         const std::vector<KnownKey>& keys)
    : table_(table), file_(file), title_(title) {
  for (const auto& [key, value] : table_) {
    const auto is_this = [name = key.str()](const KnownKey& known) { return known.name == name; };
    if (std::none_of(keys.begin(), keys.end(), is_this)) fail(key.str(), fmt::format("unknown key '{}'", key.str()));
  }
  for (const KnownKey& key : keys) {
    if (key.required && !has(key.name)) fail(key.name, fmt::format("'{}' is missing", key.name));
  }
  for (const KnownKey& key : keys) {
    if (key.read && has(key.name)) key.read(*this, key.name);
  }
}

std::uint32_t StrictTable::line(std::string_view key) const {
  const toml::node* found = node(key);
  return (found != nullptr ? found->source() : table_.source()).begin.line;
}

void StrictTable::fail_at(std::uint32_t line, std::string_view message) const {
  throw UsageError(fmt::format("{}:{}: {}{}{}", file_, line, title_, title_.empty() ? "" : ": ", message));
}

std::string StrictTable::text(std::string_view key) const {
  const auto value = text_of(node(key));
  if (!value) fail(key, fmt::format("'{}' must be a text that is not empty", key));
  return *value;
}

std::vector<std::string> StrictTable::texts(std::string_view key) const {
  const toml::array* array = table_[key].as_array();
  if (array == nullptr || array->empty()) fail(key, fmt::format("'{}' must be a list of texts", key));
  std::vector<std::string> result;
  for (const toml::node& each : *array) {
    const auto value = text_of(&each);
    if (!value) fail(key, fmt::format("'{}' must be a list of texts", key));
    result.push_back(*value);
  }
  return result;
}

std::regex StrictTable::pattern(std::string_view key) const {
  const std::string value = text(key);
  // The library's regex compiler recurses for each bracket.
  if (value.size() > kLongestPattern) fail(key, fmt::format("'{}' has more than {} characters", key, kLongestPattern));
  try {
    // By default the library tries all ways to match: exponential in the number of repetitions.
    return std::regex(value, std::regex::ECMAScript | std::regex::icase | std::regex_constants::__polynomial);
  } catch (const std::regex_error&) {
    fail(key, fmt::format("'{}' is no regular expression: {}", key, value));
  }
}

bool StrictTable::flag(std::string_view key) const {
  if (!has(key)) return false;
  if (table_[key].value_exact<bool>() != true) fail(key, fmt::format("'{}' must be true or absent", key));
  return true;
}

std::int64_t StrictTable::whole(std::string_view key, std::int64_t low, std::int64_t high) const {
  const auto value = table_[key].value_exact<std::int64_t>();
  if (!value || *value < low || *value > high)
    fail(key, fmt::format("'{}' must be a whole number from {} to {}", key, low, high));
  return *value;
}

std::vector<const toml::table*> StrictTable::tables(std::string_view key) const {
  std::vector<const toml::table*> result;
  if (!has(key)) return result;
  const toml::array* array = table_[key].as_array();
  if (array == nullptr || !array->is_array_of_tables())
    fail(key, fmt::format("'{}' must be a list of tables, at least one", key));
  for (const toml::node& each : *array) result.push_back(each.as_table());
  return result;
}

const toml::table* StrictTable::table(std::string_view key) const {
  if (!has(key)) return nullptr;
  const toml::table* table = table_[key].as_table();
  if (table == nullptr) fail(key, fmt::format("'{}' must be a table", key));
  return table;
}

KeyReader read_text(std::string& target) {
  return [&target](const StrictTable& table, std::string_view key) { target = table.text(key); };
}

KeyReader read_flag(bool& target) {
  return [&target](const StrictTable& table, std::string_view key) {
    const auto value = table.node(key)->value_exact<bool>();
    if (!value) table.fail(key, fmt::format("'{}' must be true or false", key));
    target = *value;
  };
}

KeyReader read_number(double& target, const NumberRange& range) {
  return [&target, range](const StrictTable& table, std::string_view key) {
    const auto value = number_of(*table.node(key), range);
    if (!value) table.fail(key, fmt::format("'{}' must be {}", key, range.words));
    target = *value;
  };
}

KeyReader read_numbers(std::vector<double>& target, const NumberRange& range) {
  return [&target, range](const StrictTable& table, std::string_view key) {
    constexpr std::size_t kMost = 16;
    const auto refuse = [&] { table.fail(key, fmt::format("'{}' must be a list of 1 to {} times {}", key, kMost, range.words)); };
    const toml::array* array = table.node(key)->as_array();
    if (array == nullptr || array->empty() || array->size() > kMost) refuse();
    target.clear();
    for (const toml::node& each : *array) {
      const auto value = number_of(each, range);
      if (!value) refuse();
      target.push_back(*value);
    }
  };
}

KeyReader read_bytes(std::uint64_t& target) {
  return [&target](const StrictTable& table, std::string_view key) {
    std::uint64_t bytes = 0;
    if (const auto text = table.node(key)->value_exact<std::string>()) {
      try {
        bytes = parse_bytes(*text);
      } catch (const UsageError& error) {
        table.fail(key, fmt::format("'{}': {}", key, error.what()));
      }
    } else if (const auto number = table.node(key)->value_exact<std::int64_t>(); number && *number > 0) {
      bytes = static_cast<std::uint64_t>(*number);
    }
    if (bytes == 0 || bytes > kMaxBytes)
      table.fail(key, fmt::format("'{}' must be a size in bytes, such as 4096 or \"48K\"", key));
    target = bytes;
  };
}

}  // namespace percycle
