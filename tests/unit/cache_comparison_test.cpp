#include "report/cache_comparison.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "check_words.hpp"
#include "core/units.hpp"

namespace percycle::cache_comparison_test {
namespace {

struct Lines {
  std::optional<std::uint64_t> line;
  std::optional<std::uint64_t> sector;
};

HierarchyLevel level(std::string path, std::string name, std::uint64_t size, Lines lines = {}) {
  HierarchyLevel level;
  level.path = std::move(path);
  level.name = std::move(name);
  level.size_bytes = size;
  level.line_bytes = lines.line;
  level.sector_bytes = lines.sector;
  return level;
}

Header header(Api api, std::string architecture, std::string name, std::string unit) {
  Header header;
  header.architecture = std::move(architecture);
  header.unit_name = std::move(unit);
  header.device.api = api;
  header.device.name = std::move(name);
  return header;
}

CacheFact fact(std::string name, std::vector<std::string> paths, std::vector<std::uint64_t> sizes) {
  CacheFact fact;
  fact.name = std::move(name);
  fact.paths = std::move(paths);
  fact.sizes = std::move(sizes);
  fact.source = "a paper";
  fact.quoted = "a figure";
  return fact;
}

/// "property | measured | driver | catalogue | verdict | note" per row; "-" for absent values.
std::vector<std::string> lines(const std::vector<CacheComparison>& rows) {
  std::vector<std::string> lines;
  for (const CacheComparison& row : rows) {
    std::string text = row.subject;
    for (const auto& column : {row.measured, row.driver, row.catalogue}) text += " | " + column.value_or("-");
    lines.push_back(text + " | " + std::string(to_string(row.verdict)) + " | " + row.note);
  }
  return lines;
}

using Text = std::vector<std::string>;

void check(const Text& found, const Text& expected) {
  CHECK(found.size() == expected.size());
  for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i) CHECK(found[i] == expected[i]);
}

Hierarchy h200() {
  Hierarchy hierarchy;
  hierarchy.levels = {
      level("constant", "constant L1", 2 * kKiB, {64, 64}),
      level("global", "L1", 215 * kKiB, {128, 32}),
      level("global", "L2 near", 22 * kMiB),
      level("global", "L2 far", 50 * kMiB),
      level("texture", "L1", 212 * kKiB, {128, 32}),
      level("texture", "L2 near", 22 * kMiB),
      level("texture", "L2 far", 51 * kMiB),
  };
  return hierarchy;
}

}  // namespace

TEST_CASE("caches compared: an H200's driver reports a cache size that none of its caches has") {
  Header h = header(Api::opencl, "Hopper", "NVIDIA H200", "SM");
  h.device.units = Sourced<std::uint32_t>{132, Provenance::reported};
  h.device.cache_bytes = 132 * 32 * kKiB;
  h.device.cache_line_bytes = 128;
  h.device.local_memory_bytes = 48 * kKiB;
  const auto rows = compare_caches(h200(), h);
  check(lines(rows),
        {"constant L1 | 2 KiB | - | constant cache 8 KiB | differs | measured 75 % less than the catalogue's 8 KiB",
         "L1 | 215 KiB | - | L1 28 KiB to 256 KiB (10 sizes) | agrees | the nearest size is 224 KiB",
         "L2 | 50 MiB | - | L2 60 MiB | differs | measured 17 % less than the catalogue's 60 MiB",
         "driver's cache size | L1 215 KiB, L2 50 MiB | 4.12 MiB | - | differs | no measured cache matches the driver's value, "
         "132 x 32 KiB",
         "driver's cache line, L1 | 128 B, 32 B fetched | 128 B | - | agrees | ",
         "local memory | - | 48 KiB | local memory 228 KiB | not comparable | the driver reports the limit of one "
         "work-group, the catalogue the memory of the SM"});
  REQUIRE(rows.size() == 6);
  CHECK(rows[1].measured_bytes == 215 * kKiB);
  CHECK(!rows[3].measured_bytes);
  CHECK(
      rows[2].source ==
      "NVIDIA, Hopper Architecture In-Depth, Technical Blog, March 2022, section NVIDIA H100 GPU architecture in-depth: The full "
      "implementation of the GH100 GPU includes the following units: [...] 6 HBM3 or HBM2e stacks, 12 512-bit memory "
      "controllers; 60 MB L2 cache");
}

TEST_CASE("caches compared: a cache beyond all of the catalogue's sizes differs") {
  Hierarchy hierarchy;
  hierarchy.levels = {level("global", "L1", 300 * kKiB)};
  check(lines(compare_caches(hierarchy, header(Api::vulkan, "Hopper", "NVIDIA H200", "SM"))),
        {"L1 | 300 KiB | - | L1 28 KiB to 256 KiB (10 sizes) | differs | measured 17 % more than the catalogue's 256 KiB",
         "L2 | - | - | L2 60 MiB | not comparable | not found by the measurement",
         "constant cache | - | - | constant cache 8 KiB | not comparable | not found by the measurement",
         "local memory | - | - | local memory 228 KiB | not comparable | its size is not measured"});
}

TEST_CASE("caches compared: a T4 that its catalogue knows, with lines") {
  Hierarchy hierarchy;
  hierarchy.levels = {level("global", "L1", 32 * kKiB, {128, 32}), level("global", "L2", 4 * kMiB, {128, 64}),
                      level("constant", "constant L1", 2 * kKiB), level("constant", "constant L2", 46 * kKiB, {256, 256})};
  Header h = header(Api::opencl, "Turing", "Tesla T4", "SM");
  h.device.cache_line_bytes = 32;
  h.device.local_memory_bytes = 64 * kKiB;
  check(lines(compare_caches(hierarchy, h)),
        {"L1 | 32 KiB | - | L1 32 KiB or 64 KiB | agrees | ",
         "L1 line | 128 B, 32 B fetched | - | 32 B | agrees | the catalogue's value is the size of a fetch, not the line",
         "L2 | 4 MiB | - | L2 4 MiB | agrees | ",
         "L2 line | 128 B, 64 B fetched | - | 64 B | agrees | the catalogue's value is the size of a fetch, not the line",
         "constant L1 | 2 KiB | - | - | not comparable | ", "constant L2 | 46 KiB | - | L1.5 constant 46 KiB | agrees | ",
         "constant L2 line | 256 B | - | 256 B | agrees | ",
         "driver's cache line, L1 | 128 B, 32 B fetched | 32 B | - | agrees | the driver's value is the size of a fetch, not the "
         "line",
         "local memory | - | 64 KiB | local memory 32 KiB or 64 KiB | agrees | its size is not measured"});
}

TEST_CASE("caches compared: a simulated device is held against its model only") {
  Hierarchy hierarchy;
  hierarchy.levels = {level("global", "L1", 32 * kKiB, {128, 32}), level("global", "L2", 4 * kMiB)};
  // Even under a name and an architecture in the catalogue.
  Header h = header(Api::sim, "Turing", "Simulated Tesla T4", "");
  h.device.local_memory_bytes = 64 * kKiB;
  check(lines(compare_caches(hierarchy, h)), {"L1 | 32 KiB | - | - | not comparable | ", "L2 | 4 MiB | - | - | not comparable | ",
                                              "local memory | - | 64 KiB | - | not comparable | its size is not measured"});
}

TEST_CASE("caches compared: a CPU's driver reports the last level") {
  Hierarchy hierarchy;
  hierarchy.levels = {level("global-index", "L1", 32 * kKiB, {64, 64}), level("global-index", "L2", 1 * kMiB),
                      level("global-index", "L3", 30 * kMiB)};
  Header h = header(Api::opencl, "CPU", "pthread-AMD EPYC", "core");
  h.device.cache_bytes = 32 * kMiB;
  h.device.cache_line_bytes = 64;
  const Text caches = {"L1 | 32 KiB | - | - | not comparable | ", "L2 | 1 MiB | - | - | not comparable | ",
                       "L3 | 30 MiB | - | - | not comparable | "};
  Text expected = caches;
  expected.emplace_back("driver's cache size | L3 30 MiB | 32 MiB | - | agrees | the driver means the L3");
  expected.emplace_back("driver's cache line, L1 | 64 B | 64 B | - | agrees | ");
  check(lines(compare_caches(hierarchy, h)), expected);

  h.device.cache_bytes = 40 * kMiB;
  h.device.cache_line_bytes = 256;
  expected = caches;
  expected.emplace_back(
      "driver's cache size | L1 32 KiB, L2 1 MiB, L3 30 MiB | 40 MiB | - | differs | no measured cache matches the "
      "driver's value");
  expected.emplace_back(
      "driver's cache line, L1 | 64 B | 256 B | - | differs | the driver's 256 B is neither the measured line nor the size "
      "of a fetch");
  check(lines(compare_caches(hierarchy, h)), expected);
}

TEST_CASE("caches compared: a driver may mean a near part, or add up the units' caches") {
  Header h = header(Api::opencl, "", "Some GPU", "CU");
  h.device.units = Sourced<std::uint32_t>{40, Provenance::reported};
  h.device.cache_bytes = 22 * kMiB;
  const auto driver_row = [&](const Hierarchy& hierarchy) {
    const auto rows = lines(compare_caches(hierarchy, h));
    return *std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.starts_with("driver's cache size"); });
  };
  CHECK_WORDS("cache-comparison.near-l2", driver_row(h200()));
  h.device.cache_bytes = 40 * 16 * kKiB;
  Hierarchy hierarchy;
  hierarchy.levels = {level("constant", "constant L1", 640 * kKiB), level("global", "L1", 15 * kKiB),
                      level("global", "L2", 4 * kMiB)};
  CHECK_WORDS("cache-comparison.sum-of-l1", driver_row(hierarchy));
  CHECK_WORDS("cache-comparison.not-measured", driver_row({}));
}

TEST_CASE("caches compared: sizes and paths identify a cache, not names") {
  // RDNA 2: the L0 is the first visible level, and the shader array's L1 was not found.
  Hierarchy hierarchy;
  hierarchy.levels = {level("global", "L1", 16 * kKiB), level("global", "L2", 4 * kMiB), level("global", "L3", 110 * kMiB),
                      level("scalar", "scalar L1", 16 * kKiB)};
  check(
      lines(compare_caches(hierarchy, header(Api::vulkan, "RDNA2", "AMD Radeon RX 6900 XT (RADV NAVI21)", "WGP"))),
      {"L1 | 16 KiB | - | L0 16 KiB | agrees | ", "L2 | 4 MiB | - | L2 256 KiB, 1 MiB, 2 MiB, 3 MiB or 4 MiB | agrees | ",
       "L3 | 110 MiB | - | Infinity Cache 16 MiB, 32 MiB, 96 MiB or 128 MiB | differs | measured 15 % more than the catalogue's "
       "96 MiB",
       "scalar L1 | 16 KiB | - | scalar cache 16 KiB | agrees | ",
       "L1 | - | - | L1 128 KiB | not comparable | not found by the measurement",
       "local memory | - | - | local memory 128 KiB | not comparable | its size is not measured"});
}

TEST_CASE("caches compared: 12 % is agreement, a factor of four another cache") {
  const Header h = header(Api::opencl, "", "Some GPU", "");
  const std::vector<CacheFact> facts = {fact("L1", {"global"}, {100000})};
  const auto first = [&](std::uint64_t size) {
    Hierarchy hierarchy;
    hierarchy.levels = {level("global", "L1", size)};
    return compare_caches(hierarchy, h, facts).front();
  };
  CHECK(first(112000).verdict == Verdict::agrees);
  CHECK(first(88000).verdict == Verdict::agrees);
  CHECK(first(112001).verdict == Verdict::differs);
  CHECK(first(87999).verdict == Verdict::differs);
  CHECK_WORDS("cache-comparison.less-than-catalogue", first(87999).note);
  CHECK(first(400000).verdict == Verdict::differs);
  CHECK(first(400001).verdict == Verdict::not_comparable);
  CHECK(!first(400001).catalogue);
}

TEST_CASE("caches compared: the path global's size counts, and the nearest cache is the fact's") {
  Hierarchy hierarchy;
  hierarchy.levels = {level("texture", "L1", 70 * kKiB), level("global", "L1", 64 * kKiB), level("global", "L2", 96 * kKiB)};
  const std::vector<CacheFact> facts = {fact("cache", {"global"}, {90 * kKiB})};
  check(lines(compare_caches(hierarchy, header(Api::opencl, "", "Some GPU", ""), facts)),
        {"L1 | 64 KiB | - | - | not comparable | ", "L2 | 96 KiB | - | cache 90 KiB | agrees | "});
}

TEST_CASE("caches compared: the nearest of many configurations counts, and a size between two of them differs") {
  const std::vector<CacheFact> facts = {
      fact("L1", {"global"}, {28 * kKiB, 60 * kKiB, 92 * kKiB, 124 * kKiB, 192 * kKiB, 240 * kKiB, 256 * kKiB})};
  const auto first = [&](std::uint64_t size) {
    Hierarchy hierarchy;
    hierarchy.levels = {level("global", "L1", size)};
    return lines(compare_caches(hierarchy, header(Api::opencl, "", "Some GPU", ""), facts)).front();
  };
  CHECK_WORDS("cache-comparison.nearest-size", first(88 * kKiB));
  CHECK_WORDS("cache-comparison.differs-from-nearest", first(44 * kKiB));
}

TEST_CASE("caches compared: each fact is of one cache") {
  const Header h = header(Api::opencl, "", "Some GPU", "");
  Hierarchy hierarchy;
  hierarchy.levels = {level("global", "L1", 64 * kKiB)};
  const std::vector<CacheFact> alike = {fact("first", {"global"}, {64 * kKiB}), fact("second", {"global"}, {66 * kKiB})};
  check(lines(compare_caches(hierarchy, h, alike)),
        {"L1 | 64 KiB | - | first 64 KiB | agrees | ",
         "second | - | - | second 66 KiB | not comparable | not found by the measurement"});
}

TEST_CASE("caches compared: a driver that gives a work-group more than a unit has is wrong") {
  Header h = header(Api::opencl, "", "Some GPU", "CU");
  h.device.local_memory_bytes = 128 * kKiB;
  const std::vector<CacheFact> facts = {fact("local memory", {"local"}, {64 * kKiB})};
  check(lines(compare_caches({}, h, facts)), {"local memory | - | 128 KiB | local memory 64 KiB | differs | the driver's limit "
                                              "of one work-group is above the catalogue's memory of the CU"});
}

}  // namespace percycle::cache_comparison_test
