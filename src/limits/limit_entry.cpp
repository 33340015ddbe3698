#include "limits/limit_entry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "limits/architecture.hpp"
#include "limits/citations.hpp"

namespace percycle {
namespace {

double positive(const StrictTable& table, bool whole) {
  const toml::node* node = table.node("value");
  if (node == nullptr || !node->is_number()) table.fail("value", "'value' must be a number");
  const double value = *node->value<double>();
  if (!std::isfinite(value) || value <= 0) table.fail("value", "'value' must be positive");
  if (whole && value != std::floor(value)) table.fail("value", "'value' must be a whole number");
  return value;
}

/// The texel sizes: powers of two up to 16 bytes, ascending; empty: all sizes.
std::vector<std::uint32_t> texel_bytes(const StrictTable& table) {
  std::vector<std::uint32_t> sizes;
  if (!table.has("texel_bytes")) return sizes;
  constexpr std::string_view kExpected = "'texel_bytes' must be a list of 1, 2, 4, 8 and 16, ascending";
  const toml::array* array = table.node("texel_bytes")->as_array();
  if (array == nullptr || array->empty()) table.fail("texel_bytes", kExpected);
  for (const toml::node& node : *array) {
    const std::int64_t size = node.value_exact<std::int64_t>().value_or(0);
    const bool known = size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
    if (!known || (!sizes.empty() && size <= sizes.back())) table.fail("texel_bytes", kExpected);
    sizes.push_back(static_cast<std::uint32_t>(size));
  }
  return sizes;
}

/// The keys of an entry: its own and the quantities that its subject has.
std::vector<KnownKey> with_quantities(std::vector<KnownKey> keys, bool of_a_device) {
  for (const QuantityName& name : quantities()) {
    if (of_a_device || !name.of_a_device) keys.emplace_back(name.key);
  }
  return keys;
}

/// Reads the entries of one file.
class LimitReader {
 public:
  LimitReader(const StrictTable& file, Provenance provenance)
      : file_name_(file.file()), provenance_(provenance), sources_(file) {}

  LimitEntry architectures(const toml::table& node) {
    const StrictTable table(node, file_name_, "", with_quantities({"names", "note"}, false));
    LimitEntry entry;
    entry.architectures = table.texts("names");
    entry.note = table.optional_text("note");
    for (const std::string& name : entry.architectures) check_architecture(table, "names", name);
    entry.name = fmt::format("{}", fmt::join(entry.architectures, ", "));
    add_limits(entry, table);
    for (const std::string& name : entry.architectures) {
      for (const Limit& limit : entry.limits) check_once(table, name, limit);
    }
    return entry;
  }

  LimitEntry device(const toml::table& node) {
    const StrictTable table(node, file_name_, "", with_quantities({"name", "pattern", "architecture", "note"}, true));
    LimitEntry entry;
    entry.name = table.text("name");
    entry.device = table.pattern("pattern");
    entry.note = table.optional_text("note");
    if (!devices_.insert(entry.name).second) table.fail("name", fmt::format("device '{}' appears twice", entry.name));
    if (!std::regex_search(entry.name, *entry.device)) table.fail("pattern", "'pattern' is not found in the device's own name");
    if (table.has("architecture")) {
      entry.architectures = {table.text("architecture")};
      check_architecture(table, "architecture", entry.architectures.front());
    }
    add_limits(entry, table);
    for (const Limit& limit : entry.limits) check_once(table, entry.name, limit);
    return entry;
  }

  void finish() const { sources_.check_all_cited(); }

 private:
  /// An entry for an unknown architecture would never match.
  static void check_architecture(const StrictTable& table, std::string_view key, const std::string& name) {
    if (!architecture_named(name)) table.fail(key, fmt::format("unknown architecture '{}'", name));
  }

  void add_limits(LimitEntry& entry, const StrictTable& table) {
    for (const QuantityName& name : quantities()) {
      const toml::node* node = table.node(name.key);
      if (node == nullptr) continue;
      if (const toml::array* array = node->as_array(); array != nullptr && name.quantity == Quantity::texel) {
        for (const toml::node& element : *array) add_limit(entry, table, name, element);
      } else {
        add_limit(entry, table, name, *node);
      }
    }
    if (entry.limits.empty()) table.fail("", "an entry needs at least one figure");
  }

  void add_limit(LimitEntry& entry, const StrictTable& parent, const QuantityName& name, const toml::node& node) {
    if (!node.is_table()) parent.fail(name.key, fmt::format("'{0}' must be {{ value, source, quoted }}", name.key));
    const bool is_texel = name.quantity == Quantity::texel;
    const StrictTable table =
        is_texel ? StrictTable(*node.as_table(), file_name_, "", {"value", "texel_bytes", "source", "quoted", "note"})
                 : StrictTable(*node.as_table(), file_name_, "", {"value", "source", "quoted", "note"});
    entry.limits.push_back({.quantity = name.quantity,
                            .texel_bytes = texel_bytes(table),
                            .value = positive(table, name.whole),
                            .provenance = provenance_,
                            .entry = entry.name,
                            .source = sources_.cite(table),
                            .quoted = table.text("quoted"),
                            .note = table.optional_text("note")});
  }

  /// Two figures for the same quantity could not both hold.
  void check_once(const StrictTable& table, const std::string& owner, const Limit& limit) {
    const std::string_view key = name_of(limit.quantity).key;
    auto sizes = limit.texel_bytes;
    if (sizes.empty()) sizes = {0};
    for (const std::uint32_t size : sizes) {
      if (!said_.insert({owner, limit.quantity, size}).second)
        table.fail(key, fmt::format("'{}' of {} appears twice", key, owner));
    }
  }

  std::string_view file_name_;
  Provenance provenance_;
  Citations sources_;
  std::set<std::string> devices_;
  std::set<std::tuple<std::string, Quantity, std::uint32_t>> said_;
};

}  // namespace

std::vector<LimitEntry> parse_limit_entries(std::string_view text, std::string_view file_name, Provenance provenance) {
  const toml::table root = parse_toml(text, file_name);
  const StrictTable file(root, file_name, "", {"sources", "architecture", "device"});
  LimitReader reader(file, provenance);
  std::vector<LimitEntry> entries;
  for (const toml::table* node : file.tables("architecture")) entries.push_back(reader.architectures(*node));
  for (const toml::table* node : file.tables("device")) entries.push_back(reader.device(*node));
  reader.finish();
  return entries;
}

}  // namespace percycle
