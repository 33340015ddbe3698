#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "limits/limits.hpp"
#include "limits/normalize.hpp"
#include "report/bandwidth_limit.hpp"
#include "unit/published_files.hpp"

namespace percycle::published_bandwidth_test {
namespace {

using published::digits;
using published::Figure;
using published::prints_as;

/// Jia et al.: the limit of shared memory is the smaller of banks x width and load/store units x 4
/// bytes (figure 3.12), for the K80 256 bytes of banks (its 32 units would give 128); the P100's 16
/// units would give 64 and half of the printed value.
const std::map<std::string, double> kSharedBytes{{"T4", 64}, {"P100", 128}, {"P4", 64}, {"M60", 128}, {"K80", 256}};

/// The limit of L1 is load/store units (table 3.1) x 4 bytes (section 3.1.1).
const std::map<std::string, double> kLoadStoreUnits{{"T4", 16}, {"V100", 32}, {"P100", 16}, {"P4", 16}, {"M60", 32}, {"K80", 32}};

/// A bandwidth with its document's limit.
struct Row : Figure {
  Quantity quantity() const {
    if (experiment() == "dram-bandwidth") return Quantity::memory;
    if (experiment() == "local-bandwidth") return Quantity::local;
    return parameter("path") == "texture" ? Quantity::texel : Quantity::load;
  }

  std::string name() const { return fmt::format("{}, {}, {}", place(), device(), to_string(result->point)); }

  /// As printed, digits alone.
  std::string digits_of(const std::string& key) const { return digits(printed(key)); }

  std::string digits_of_statistic(const std::string& name) const {
    const auto value = median(name);
    if (!value) return {};
    return printed(name).empty() ? fmt::format("{}", *value) : digits_of(name);
  }

  /// In bytes per unit-cycle or, for memory, GB/s.
  double limit() const {
    const bool is_report = place().starts_with("table 3");
    if (quantity() == Quantity::load) return 4 * kLoadStoreUnits.at(device());
    if (quantity() == Quantity::local && is_report) return kSharedBytes.at(device());
    return std::stod(digits_of(quantity() == Quantity::memory ? "limit_gb_per_s" : "limit_bytes_per_unit_cycle"));
  }

  std::optional<double> clock_mhz() const {
    const auto& clock = result->measurement->clock_mhz;
    return clock ? std::optional(clock->value) : std::nullopt;
  }

  /// The clock that the document used: the GTX 1080's figures belong to another clock than its text
  /// states.
  std::optional<double> reckoned_clock_mhz() const { return device() == "GTX 1080" ? 1874.5 : clock_mhz(); }

  /// The clock of the theoretical bandwidth.
  std::optional<double> limit_clock_mhz() const {
    std::smatch match;
    const std::string limit = printed("limit_gb_per_s");
    if (std::regex_search(limit, match, std::regex("at ([\\d.]+) GHz"))) return 1000 * std::stod(match[1]);
    const std::string row = place();
    if (limit.ends_with("at max clock") && std::regex_search(row, match, std::regex("\\(([\\d.]+)-")))
      return 1000 * std::stod(match[1]);
    return reckoned_clock_mhz();
  }
};

std::vector<Row> rows() {
  std::vector<Row> all;
  for (const char* file : {"gpu-l1-article-", "t4-report-table-3.1", "t4-report-table-3.2"}) {
    for (const Figure& figure : published::figures(file)) {
      if (figure.experiment().ends_with("-bandwidth") && !figure.result->measurement->printed.empty() &&
          !figure.header->publication->prose)
        all.push_back({figure});
    }
  }
  return all;
}

MeasuredBandwidth measured(const Row& row, std::optional<double> clock_mhz) {
  MeasuredBandwidth result;
  result.gb_s = row.median("gb_per_s");
  if (!result.gb_s) result.in_kernel_bytes_per_unit_cycle = row.median("bytes_per_unit_cycle");
  if (clock_mhz) result.clock_mhz = Sourced<double>{*clock_mhz, Provenance::published};
  result.units = row.header->device.units;
  Limit limit;
  limit.quantity = row.quantity();
  limit.value = row.limit();
  limit.provenance = Provenance::published;
  result.limit = limit;
  return result;
}

std::optional<double> percent(std::optional<double> ratio) { return ratio ? std::optional(100 * *ratio) : std::nullopt; }

/// The figures of a row that its other rows do not give.
std::set<std::string> contradictions(const Row& row) {
  const NormalizedBandwidth made = normalize(measured(row, row.reckoned_clock_mhz()));
  const NormalizedBandwidth at_limit_clock = normalize(measured(row, row.limit_clock_mhz()));
  std::set<std::string> found;
  const auto check = [&](const char* key, const std::string& printed, std::optional<double> computed) {
    if (printed.empty()) return;
    CAPTURE(key);
    REQUIRE(computed);
    if (!prints_as(*computed, printed)) found.insert(key);
  };
  if (made.gb_s) check("bytes_per_unit_cycle", row.digits_of_statistic("bytes_per_unit_cycle"), made.bytes_per_unit_cycle);
  check("limit_gb_per_s", row.digits_of("limit_gb_per_s"), at_limit_clock.limit_gb_s);
  check("limit_bytes_per_unit_cycle", row.digits_of("limit_bytes_per_unit_cycle"), made.limit_bytes_per_unit_cycle);
  check("efficiency", row.digits_of("efficiency"), percent(made.efficiency));
  CHECK(made.suspect.empty());
  return found;
}

}  // namespace

TEST_CASE(
    "published bandwidths: the normalizer makes every printed figure of the tables from the same measurement, but for five") {
  REQUIRE(rows().size() == 41);
  std::string contradicting;
  for (const Row& row : rows()) {
    CAPTURE(row.name());
    for (const std::string& key : contradictions(row)) {
      contradicting += fmt::format("{}: {}\n", row.name(), key);
      REQUIRE(row.result->measurement->warnings.size() == 1);
      CHECK(row.result->measurement->warnings[0].starts_with("the document contradicts itself: "));
    }
  }
  CHECK(
      contradicting ==
      "table \"L1 bandwidth results for Intel Gen9\", row \"HD 530\", HD 530, l1-bandwidth footprint=4096 path=texture "
      "variant=plain width=16: "
      "bytes_per_unit_cycle\n"
      "table \"Local bandwidth test results\", row \"RX 6900 XT at 1 GHz, WGP Mode\", RX 6900 XT, local-bandwidth "
      "clock_setting=1 GHz form=sweep wgp_mode=wgp width=4: efficiency\n"
      "table \"Local bandwidth test results\", row \"RX 6900 XT Stock (2.563-2.218 GHz), CU Mode\", RX 6900 XT, local-bandwidth "
      "form=sweep wgp_mode=cu width=4: limit_gb_per_s\n"
      "table 3.1, T4, local-bandwidth form=sweep: efficiency\n"
      "table 3.1, K80, dram-bandwidth op=copy: efficiency\n");
}

// The question decides what stands beside a figure: a whole device is no unit, a sweep no stride.
TEST_CASE("published bandwidths: each names the question of its measured neighbour") {
  for (const Figure& figure : published::figures()) {
    CAPTURE(figure.place());
    if (figure.experiment() == "local-bandwidth") CHECK(figure.parameter("form") == "sweep");
    if (figure.experiment() == "l1-bandwidth") CHECK(figure.parameter("variant") == "plain");
    if (figure.experiment() == "cache-bandwidth")
      CHECK(figure.parameter("mode") + figure.parameter("test") == "privatefootprint");
    if (figure.device() == "RX 6900 XT" && figure.experiment() != "latency" && figure.result->measurement->clock_mhz)
      CHECK(figure.parameter("clock_setting") == "1 GHz");
  }
}

TEST_CASE("published bandwidths: every contradiction noted in a record is one") {
  int found = 0;
  for (const Row& row : rows()) {
    for (const std::string& warning : row.result->measurement->warnings) {
      if (!warning.starts_with("the document contradicts itself: ")) continue;
      CAPTURE(row.name());
      CHECK(contradictions(row).size() == 1);
      ++found;
    }
  }
  CHECK(found == 5);
}

TEST_CASE("published bandwidths: in-kernel counts give the T4 the multiple of the P4's share that the text states") {
  const auto efficiency = [](const std::string& device) {
    const auto all = rows();
    const auto row = std::find_if(all.begin(), all.end(),
                                  [&](const Row& each) { return each.quantity() == Quantity::load && each.device() == device; });
    REQUIRE(row != all.end());
    return normalize(measured(*row, std::nullopt)).efficiency.value();
  };
  CHECK(prints_as(efficiency("T4") / efficiency("P4"), "3.7"));
}

TEST_CASE("published bandwidths: the T4 report's text on the L2") {
  std::map<std::string, double> gb_s;
  for (const Figure& figure : published::figures("t4-report-table-3.4"))
    gb_s[figure.device()] = figure.median("gb_per_s").value();
  CHECK(gb_s.size() == 6);
  CHECK(prints_as(100 * (gb_s.at("T4") / gb_s.at("P4") - 1), "30"));
  CHECK(prints_as(100 * gb_s.at("T4") / gb_s.at("V100"), "59"));
}

TEST_CASE(
    "published bandwidths: the V100's theoretical shared memory bandwidth, whose measured one is lost, is no multiple of its "
    "cycles") {
  // 80 x 128 bytes at 1.38 GHz; the 13,800 in table 3.1 is that divided by 1.024, unlike any other
  // cell of the row.
  Limit limit;
  limit.quantity = Quantity::local;
  limit.value = 128;
  MeasuredBandwidth nothing;
  nothing.clock_mhz = Sourced<double>{1380, Provenance::published};
  nothing.units = Sourced<std::uint32_t>{80, Provenance::published};
  nothing.limit = limit;
  const NormalizedBandwidth made = normalize(nothing);
  CHECK_FALSE(prints_as(made.limit_gb_s.value(), "13800"));
  CHECK(prints_as(made.limit_gb_s.value() / 1.024, "13800"));
  CHECK(find_limits_by_name(limits_catalogue(), "V100").find(Quantity::local)->value == 128);
}

TEST_CASE("published bandwidths: without a clock there are no bytes per cycle, and no efficiency of a cache") {
  int without = 0;
  for (const Row& row : rows()) {
    if (row.clock_mhz() || row.quantity() == Quantity::memory || row.quantity() == Quantity::load) continue;
    CAPTURE(row.name());
    const NormalizedBandwidth made =
        hold_against_limit(*row.result, *row.header, limits_of_device(limits_catalogue(), *row.header));
    CHECK(made.gb_s == row.median("gb_per_s"));
    CHECK_FALSE(made.bytes_per_unit_cycle);
    CHECK_FALSE(made.limit_gb_s);
    CHECK_FALSE(made.efficiency);
    ++without;
  }
  CHECK(without == 4);
}

TEST_CASE(
    "published bandwidths: shown against the catalogue's limits, with the printed bytes per unit-cycle where there are such") {
  std::map<std::string, std::optional<double>> efficiency;
  for (const Row& row : rows()) {
    CAPTURE(row.name());
    const NormalizedBandwidth made =
        hold_against_limit(*row.result, *row.header, limits_of_device(limits_catalogue(), *row.header));
    if (const auto printed = row.median("bytes_per_unit_cycle")) CHECK(made.bytes_per_unit_cycle == printed);
    efficiency[row.place() + row.device()] = made.efficiency;
  }
  CHECK(efficiency.at("table 3.2T4") == 58.8 / 64);
  CHECK(efficiency.at("table \"L1 bandwidth test results for Pascal\", row \"GTX 1080\"GTX 1080") == 118.01 / 128);
  CHECK(efficiency.at("table \"Local memory test results for GCN\", row \"W7000, 950 MHz\"FirePro W7000") == 78.39 / 128);
  // The catalogue has no entry for the report's P4, whose units differ from NVIDIA's.
  CHECK_FALSE(efficiency.at("table 3.2P4"));
}

TEST_CASE("published bandwidths: a clock that the document states and does not reckon with does not give its figures") {
  int stated = 0;
  for (const Row& row : rows()) {
    if (row.clock_mhz() == row.reckoned_clock_mhz()) continue;
    CAPTURE(row.name());
    const NormalizedBandwidth made = normalize(measured(row, row.clock_mhz()));
    CHECK_FALSE(prints_as(made.bytes_per_unit_cycle.value(), row.digits_of_statistic("bytes_per_unit_cycle")));
    CHECK_FALSE(prints_as(made.limit_gb_s.value(), row.digits_of("limit_gb_per_s")));
    CHECK_FALSE(prints_as(percent(made.efficiency).value(), row.digits_of("efficiency")));
    CHECK(row.result->measurement->warnings.size() == 1);
    ++stated;
  }
  CHECK(stated == 2);
}

TEST_CASE("published bandwidths: the catalogue has the same limits and unit counts") {
  const LimitsCatalogue catalogue = limits_catalogue();
  int limits = 0;
  int units = 0;
  for (const Row& row : rows()) {
    CAPTURE(row.name());
    if (row.device() == "P4") continue;  // see below
    const DeviceLimits known = find_limits_by_name(catalogue, row.device());
    REQUIRE(known.match == DeviceLimits::Match::device);
    const auto texel_bytes =
        row.quantity() == Quantity::texel ? static_cast<std::uint32_t>(integer(row.parameters(), "width")) : 0;
    const Limit* limit = known.find(row.quantity(), texel_bytes);
    REQUIRE(limit != nullptr);
    CHECK(limit->value == row.limit());
    ++limits;
    if (!row.header->device.units) continue;
    REQUIRE(known.find(Quantity::units) != nullptr);
    CHECK(known.find(Quantity::units)->value == row.header->device.units->value);
    ++units;
  }
  CHECK(limits == 38);
  CHECK(units == 34);

  // The T4 report's P4 has other units than NVIDIA's.
  const DeviceLimits p4 = find_limits_by_name(catalogue, "Tesla P4");
  CHECK(p4.find(Quantity::memory)->value == 192);
  CHECK(p4.find(Quantity::units) == nullptr);
  CHECK(p4.find(Quantity::load) == nullptr);
}

}  // namespace percycle::published_bandwidth_test
