#include "device/sim/model_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/units.hpp"

namespace percycle::sim {
namespace {

/// Larger sizes would only overflow what is computed from them.
constexpr std::uint64_t kMaxBytes = 256ull * 1024 * kGiB;

}  // namespace

const Range kPositive{"a number above 0", [](double value) { return value > 0; }};
const Range kClock{"a number from 1 to 100000", [](double value) { return value >= 1 && value <= 100000; }};
const Range kNotNegative{"a number from 0 on", [](double value) { return value >= 0; }};
const Range kFromOne{"a number from 1 on", [](double value) { return value >= 1; }};
const Range kShare{"a number from 0 to below 1", [](double value) { return value >= 0 && value < 1; }};

Table::Table(const toml::table& table, std::string where, std::string title, std::string_view prefix,
             std::initializer_list<Key> keys, std::vector<Figure>& figures)
    : table_(table), where_(std::move(where)), title_(std::move(title)) {
  for (const auto& [node_key, value] : table_) {
    const std::string_view name = node_key.str();
    const auto key = std::find_if(keys.begin(), keys.end(), [&](const Key& known) { return known.name == name; });
    if (key == keys.end()) fail(value.source().begin.line, fmt::format("unknown key '{}'", name));
    if (key->figure)
      figures.push_back({fmt::format("{}{}{}", prefix, prefix.empty() ? "" : ".", name), value.source().begin.line});
  }
  for (const Key& key : keys) {
    if (key.required && !has(key.name)) fail_at(key.name, fmt::format("'{}' is missing", key.name));
  }
}

std::uint32_t Table::line(std::string_view key) const {
  const toml::node* node = table_.get(key);
  return (node != nullptr ? node->source() : table_.source()).begin.line;
}

void Table::fail(std::uint32_t line, std::string_view what) const {
  throw UsageError(fmt::format("{}:{}: {}{}{}", where_, line, title_, title_.empty() ? "" : ": ", what));
}

void Table::fail_not_one_of(std::string_view key, std::string_view word, std::string_view known) const {
  fail_at(key, fmt::format("'{}' must be one of {}; it is '{}'", key, known, word));
}

void Table::read_text(std::string_view key, std::string& target) const {
  if (!has(key)) return;
  const auto value = table_[key].value_exact<std::string>();
  if (!value || value->empty()) fail_at(key, fmt::format("'{}' must be a text that is not empty", key));
  target = *value;
}

void Table::read_flag(std::string_view key, bool& target) const {
  if (!has(key)) return;
  const auto value = table_[key].value_exact<bool>();
  if (!value) fail_at(key, fmt::format("'{}' must be true or false", key));
  target = *value;
}

void Table::read_number(std::string_view key, double& target, const Range& range) const {
  if (!has(key)) return;
  const toml::node& node = *table_.get(key);
  const auto value = node.is_number() ? node.value<double>() : std::nullopt;
  if (!value || !std::isfinite(*value) || !range.holds(*value)) fail_at(key, fmt::format("'{}' must be {}", key, range.words));
  target = *value;
}

void Table::read_numbers(std::string_view key, std::vector<double>& target, const Range& range) const {
  if (!has(key)) return;
  constexpr std::size_t kMost = 16;
  const auto refuse = [&] { fail_at(key, fmt::format("'{}' must be a list of 1 to {} times {}", key, kMost, range.words)); };
  const toml::array* array = table_[key].as_array();
  if (array == nullptr || array->empty() || array->size() > kMost) refuse();
  std::vector<double> numbers;
  for (const toml::node& node : *array) {
    const auto value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value || !std::isfinite(*value) || !range.holds(*value)) refuse();
    numbers.push_back(*value);
  }
  target = std::move(numbers);
}

void Table::read_bytes(std::string_view key, std::uint64_t& target) const {
  if (!has(key)) return;
  std::uint64_t bytes = 0;
  if (const auto text = table_[key].value_exact<std::string>()) {
    try {
      bytes = parse_bytes(*text);
    } catch (const UsageError& error) {
      fail_at(key, fmt::format("'{}': {}", key, error.what()));
    }
  } else if (const auto number = table_[key].value_exact<std::int64_t>(); number && *number > 0) {
    bytes = static_cast<std::uint64_t>(*number);
  }
  if (bytes == 0 || bytes > kMaxBytes) fail_at(key, fmt::format("'{}' must be a size in bytes, such as 4096 or \"48K\"", key));
  target = bytes;
}

std::int64_t Table::whole(std::string_view key, std::int64_t low, std::int64_t high) const {
  const auto value = table_[key].value_exact<std::int64_t>();
  if (!value || *value < low || *value > high)
    fail_at(key, fmt::format("'{}' must be a whole number from {} to {}", key, low, high));
  return *value;
}

std::vector<const toml::table*> Table::tables(std::string_view key) const {
  std::vector<const toml::table*> result;
  if (!has(key)) return result;
  const toml::array* array = table_[key].as_array();
  if (array == nullptr || !array->is_array_of_tables())
    fail_at(key, fmt::format("'{}' must be a list of tables, at least one", key));
  for (const toml::node& node : *array) result.push_back(node.as_table());
  return result;
}

const toml::table* Table::table(std::string_view key) const {
  if (!has(key)) return nullptr;
  const toml::table* table = table_[key].as_table();
  if (table == nullptr) fail_at(key, fmt::format("'{}' must be a table", key));
  return table;
}

}  // namespace percycle::sim
