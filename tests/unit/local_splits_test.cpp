#include "analysis/local_splits.hpp"

#include <doctest/doctest.h>

#include "analysis/hierarchy.hpp"
#include "check_words.hpp"
#include "core/units.hpp"
#include "fake_device.hpp"
#include "measured_plan.hpp"
#include "report/cache_comparison.hpp"
#include "sim_examples.hpp"
#include "vocabulary/latency.hpp"

namespace percycle::local_splits_test {
namespace {

/// The first cache has 16 KiB beside little local memory, 8 KiB beside more, else 4 KiB.
sim::Model with_splits() {
  sim::Model model = sim::examples::small();
  model.unit_clock = sim::UnitClock{};
  model.caches[0].splits = {{8 * kKiB, 16 * kKiB}, {48 * kKiB, 8 * kKiB}};
  return model;
}

std::vector<PointResult> curve(const std::string& local_bytes) {
  return sim::measured_plan(with_splits(), experiment::kLatency,
                            {{"path", "global"}, {"max", "256K"}, {parameter::kLocalBytes, local_bytes}});
}

TEST_CASE("local splits: the first cache beside declared local memory, and the size without it") {
  std::vector<PointResult> results = curve("auto");
  for (const char* bytes : {"4K", "16K"}) {
    for (auto& result : curve(bytes)) results.push_back(std::move(result));
  }
  const Hierarchy hierarchy = find_hierarchy(results);
  REQUIRE_FALSE(hierarchy.levels.empty());
  CHECK(static_cast<double>(hierarchy.levels[0].size_bytes) == doctest::Approx(4 * kKiB).epsilon(0.1));
  const auto& splits = hierarchy.local_splits;
  REQUIRE(splits.size() == 2);
  CHECK(splits[0].path == "global");
  CHECK(splits[0].local_bytes == 4 * kKiB);
  CHECK(static_cast<double>(splits[0].size_bytes) == doctest::Approx(16 * kKiB).epsilon(0.1));
  CHECK(splits[1].local_bytes == 16 * kKiB);
  CHECK(static_cast<double>(splits[1].size_bytes) == doctest::Approx(8 * kKiB).epsilon(0.1));
}

TEST_CASE("local splits: the comparison names the configuration of the catalogue's list") {
  Hierarchy hierarchy;
  hierarchy.local_splits = {{"global-index", 32 * kKiB, 57 * kKiB, 56 * kKiB, 58 * kKiB, 0.9}};
  CacheFact fact;
  fact.name = "L1";
  fact.paths = {"global"};
  fact.sizes = {32 * kKiB, 64 * kKiB};
  const std::vector<CacheFact> facts{fact};
  const auto rows = compare_caches(hierarchy, {}, facts);
  REQUIRE_FALSE(rows.empty());
  CHECK_WORDS("local-splits.subject", rows[0].subject);
  CHECK(rows[0].measured == "57 KiB");
  CHECK(rows[0].verdict == Verdict::agrees);
  CHECK_WORDS("local-splits.nearest-size", rows[0].note);
}

TEST_CASE("local splits: only paths that may share local memory's storage declare any") {
  const Experiment& latency = *find_experiment(experiment::kLatency);
  const auto reason = [&](const char* path, const char* form, std::int64_t bytes) {
    return latency
        .unsupported(fake::gpu(), {"latency",
                                   {{"path", path},
                                    {"form", form},
                                    {"lanes", "1"},
                                    {"order", "random"},
                                    {"footprint", std::int64_t{4096}},
                                    {"stride", std::int64_t{128}},
                                    {"local_bytes", bytes}}})
        .value_or("");
  };
  CHECK(reason("global", "pointer", 8192).empty());
  CHECK(reason("texture", "index", 8192).empty());
  CHECK_WORDS("local-splits.paths", reason("constant", "index", 8192));
  CHECK_WORDS("local-splits.global-form", reason("global", "offset32", 8192));
  CHECK_WORDS("local-splits.multiple", reason("global", "pointer", 1000));
  CHECK_WORDS("local-splits.too-large", reason("global", "pointer", 1 << 20));
}

}  // namespace
}  // namespace percycle::local_splits_test
