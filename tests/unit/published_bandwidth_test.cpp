#include <doctest/doctest.h>
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limits/limits.hpp"
#include "limits/normalize.hpp"

namespace percycle {
namespace {

/// A row of tests/data/published_bandwidth.toml; its head says what the members are.
struct Row {
  explicit Row(const toml::table& table) : table_(table) {}

  std::string text(std::string_view key) const { return table_[key].value<std::string>().value_or(""); }
  std::optional<double> number(std::string_view key) const { return table_[key].value<double>(); }
  bool flag(std::string_view key) const { return table_[key].value<bool>().value_or(false); }
  std::string name() const { return fmt::format("{}: {}", text("table"), text("row")); }

  /// A figure as printed, without the commas between thousands; empty where there is none.
  std::string printed(std::string_view key) const {
    std::string digits = text(key);
    digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
    return digits;
  }

  std::optional<double> printed_number(std::string_view key) const {
    const std::string digits = printed(key);
    return digits.empty() ? std::nullopt : std::optional(std::stod(digits));
  }

  /// In bytes per unit-cycle or, of memory, GB/s.
  double limit() const {
    const auto load_store_units = number("load_store_units");
    return load_store_units ? *load_store_units * 4 : number("limit").value();
  }

  bool contradicts(std::string_view key) const {
    const toml::array* keys = table_["contradicts"].as_array();
    return keys != nullptr && std::any_of(keys->begin(), keys->end(),
                                          [key](const toml::node& node) { return node.value<std::string_view>() == key; });
  }

  Quantity quantity() const {
    for (const QuantityName& name : quantities()) {
      if (name.key == text("path")) return name.quantity;
    }
    return Quantity::memory;
  }

  std::vector<std::string> keys() const {
    std::vector<std::string> result;
    for (const auto& [key, value] : table_) result.emplace_back(key.str());
    return result;
  }

 private:
  const toml::table& table_;
};

const toml::table& file() {
  static const toml::table parsed = toml::parse_file(PERCYCLE_TEST_DATA "/published_bandwidth.toml");
  return parsed;
}

/// The rows of all documents.
std::vector<Row> rows() {
  std::vector<Row> result;
  for (const toml::node& document : *file()["document"].as_array()) {
    REQUIRE(document.as_table()->at("name").is_string());
    for (const toml::node& row : *document.as_table()->at("row").as_array()) result.emplace_back(*row.as_table());
  }
  return result;
}

MeasuredBandwidth measured(const Row& row, std::optional<double> clock_mhz) {
  MeasuredBandwidth result;
  result.gb_s = row.printed_number("gb_s");
  if (row.flag("in_kernel")) {
    result.in_kernel_bytes_per_unit_cycle = row.printed_number("bytes_per_unit_cycle");
  }
  if (clock_mhz) result.clock_mhz = Sourced<double>{*clock_mhz, Provenance::published};
  if (const auto units = row.number("units")) {
    result.units = Sourced<std::uint32_t>{static_cast<std::uint32_t>(*units), Provenance::published};
  }
  Limit limit;
  limit.quantity = row.quantity();
  limit.value = row.limit();
  limit.provenance = Provenance::published;
  result.limit = limit;
  return result;
}

/// Whether rounding or cutting off `value` gives the digits.
bool prints_as(double value, const std::string& digits) {
  const auto point = digits.find('.');
  const auto decimals = point == std::string::npos ? 0 : static_cast<int>(digits.size() - point - 1);
  const double scale = std::pow(10, decimals);
  const double last = std::round(std::stod(digits) * scale);
  // A half is a half although 0.05 is none in binary.
  return std::floor(value * scale + 1e-9) == last || std::floor(value * scale + 0.5 + 1e-9) == last;
}

/// One figure of a row: absent where the document has nothing to make it from, else the digits it printed.
void check(const Row& row, std::string_view key, std::optional<double> computed) {
  const std::string digits = row.printed(key);
  if (digits.empty()) return;
  CAPTURE(key);
  REQUIRE(computed);
  CAPTURE(*computed);
  if (row.contradicts(key)) {
    CHECK(!row.text("reason").empty());
    CHECK_FALSE(prints_as(*computed, digits));
  } else {
    CHECK(prints_as(*computed, digits));
  }
}

std::optional<double> percent(std::optional<double> ratio) { return ratio ? std::optional(100 * *ratio) : std::nullopt; }

}  // namespace

TEST_CASE("published bandwidths: the normalizer makes every printed figure of the tables from the same measurement") {
  REQUIRE(rows().size() == 42);
  for (const Row& row : rows()) {
    CAPTURE(row.name());
    const NormalizedBandwidth made = normalize(measured(row, row.number("clock_mhz")));
    const auto limit_clock = row.number("limit_clock_mhz") ? row.number("limit_clock_mhz") : row.number("clock_mhz");
    const NormalizedBandwidth at_limit_clock = normalize(measured(row, limit_clock));
    if (!row.flag("in_kernel")) check(row, "bytes_per_unit_cycle", made.bytes_per_unit_cycle);
    check(row, "limit_gb_s", at_limit_clock.limit_gb_s);
    check(row, "limit_bytes_per_unit_cycle", made.limit_bytes_per_unit_cycle);
    check(row, "efficiency_percent", percent(made.efficiency));
    CHECK(made.suspect.empty());
  }
}

TEST_CASE(
    "published bandwidths: of what was counted in the kernel the T4 reaches as many times the P4's share as the text says") {
  const auto of = [](std::string_view device) {
    const auto all = rows();
    return *std::find_if(all.begin(), all.end(),
                         [&](const Row& row) { return row.flag("in_kernel") && row.text("device") == device; });
  };
  const Row t4 = of("T4");
  const double times = normalize(measured(t4, std::nullopt)).efficiency.value() /
                       normalize(measured(of("Tesla P4"), std::nullopt)).efficiency.value();
  CHECK(prints_as(times, t4.printed("times_that_of_p4")));
  CHECK(prints_as(t4.printed_number("stated_bytes_per_unit_cycle").value(), t4.printed("bytes_per_unit_cycle")));
}

TEST_CASE("published bandwidths: without a clock there are no bytes per cycle, and no efficiency of a cache") {
  int without = 0;
  for (const Row& row : rows()) {
    if (row.number("clock_mhz") || row.text("path") == "memory" || row.text("path") == "load") continue;
    CAPTURE(row.name());
    const NormalizedBandwidth made = normalize(measured(row, std::nullopt));
    CHECK(made.gb_s == row.printed_number("gb_s"));
    CHECK_FALSE(made.bytes_per_unit_cycle);
    CHECK_FALSE(made.limit_gb_s);
    CHECK_FALSE(made.efficiency);
    ++without;
  }
  CHECK(without == 4);
}

TEST_CASE("published bandwidths: a clock that the document states and does not reckon with does not give its figures") {
  int stated = 0;
  for (const Row& row : rows()) {
    if (!row.number("stated_clock_mhz")) continue;
    CAPTURE(row.name());
    const NormalizedBandwidth made = normalize(measured(row, row.number("stated_clock_mhz")));
    CHECK_FALSE(prints_as(made.bytes_per_unit_cycle.value(), row.printed("bytes_per_unit_cycle")));
    CHECK_FALSE(prints_as(made.limit_gb_s.value(), row.printed("limit_gb_s")));
    CHECK_FALSE(prints_as(percent(made.efficiency).value(), row.printed("efficiency_percent")));
    CHECK(!row.text("reason").empty());
    ++stated;
  }
  CHECK(stated == 2);
}

TEST_CASE("published bandwidths: which rows contradict themselves") {
  std::string contradictions;
  for (const Row& row : rows()) {
    if (!row.text("reason").empty()) contradictions += row.name() + "\n";
  }
  CHECK(contradictions ==
        "Local bandwidth test results: RX 6900 XT at 1 GHz, WGP Mode\n"
        "Local bandwidth test results: RX 6900 XT Stock (2.563-2.218 GHz), CU Mode\n"
        "L1 bandwidth test results for Pascal: GTX 1080\n"
        "Local memory bandwidth test results for Pascal: GTX 1080\n"
        "L1 bandwidth results for Intel Gen9: HD 530\n"
        "Table 3.1, Shared: T4\n"
        "Table 3.1, Shared: V100\n"
        "Table 3.1, Global: K80\n");
}

TEST_CASE("published bandwidths: the catalogue has the same limits and unit counts") {
  const LimitsCatalogue catalogue = limits_catalogue();
  int limits = 0;
  int units = 0;
  for (const Row& row : rows()) {
    CAPTURE(row.name());
    const DeviceLimits known = find_limits_by_name(catalogue, row.text("device"));
    REQUIRE(known.match == DeviceLimits::Match::device);
    // The T4 report's P4 has other units than NVIDIA's.
    if (row.text("device") == "Tesla P4" && row.text("path") != "memory") {
      CHECK(known.find(Quantity::units) == nullptr);
      CHECK(known.find(Quantity::load) == nullptr);
      continue;
    }
    const Limit* limit = known.find(row.quantity(), static_cast<std::uint32_t>(row.number("texel_bytes").value_or(0)));
    REQUIRE(limit != nullptr);
    CHECK(limit->value == row.limit());
    ++limits;
    if (!row.number("units")) continue;
    REQUIRE(known.find(Quantity::units) != nullptr);
    CHECK(known.find(Quantity::units)->value == row.number("units"));
    ++units;
  }
  CHECK(limits == 40);
  CHECK(units == 30);
}

TEST_CASE("published bandwidths: the file holds nothing that no test reads") {
  const std::vector<std::string> known = {"table",
                                          "row",
                                          "path",
                                          "texel_bytes",
                                          "device",
                                          "units",
                                          "clock_mhz",
                                          "limit",
                                          "load_store_units",
                                          "limit_clock_mhz",
                                          "gb_s",
                                          "bytes_per_unit_cycle",
                                          "limit_gb_s",
                                          "limit_bytes_per_unit_cycle",
                                          "efficiency_percent",
                                          "in_kernel",
                                          "stated_bytes_per_unit_cycle",
                                          "times_that_of_p4",
                                          "stated_clock_mhz",
                                          "contradicts",
                                          "reason"};
  for (const Row& row : rows()) {
    for (const std::string& key : row.keys()) {
      CHECK_MESSAGE(std::find(known.begin(), known.end(), key) != known.end(), row.name(), " ", key);
    }
  }
}

}  // namespace percycle
