#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "check_words.hpp"
#include "core/error.hpp"
#include "sim/model.hpp"

namespace percycle::sim::sim_effect_rules_test {
namespace {

/// Every effect once.
constexpr std::string_view kText = R"(name = "Effects"
vendor = "Someone"
units = 8
subgroup_size = 32
memory_bytes = "1G"
assumed = ["*"]

[pages]
page_bytes = "64K"
seed = 9

[dram]
row_bytes = 2048
banks = 16
row_cycles = 60

[[cache]]
name = "L1"
size_bytes = "16K"
line_bytes = 128
ways = 4
scope = "unit"
prefetch = "next"

[[cache]]
name = "L2"
size_bytes = "1280K"
line_bytes = 128
ways = 16
scope = "device"
slices = 5
physical = true
foreign_share = 0.1
prefetch = "adjacent"

[[cache]]
name = "L3"
size_bytes = "8M"
line_bytes = 128
ways = 16
scope = "device"
physical = true
inclusion = "exclusive"

[[path]]
path = "global"
hops = [
  { cache = "L1", latency_cycles = 30 },
  { cache = "L2", latency_cycles = 210, far_lines_cycles = 290 },
  { cache = "L3", latency_cycles = 320 },
]
memory_latency_cycles = 600

[[tlb]]
name = "TLB"
page_bytes = "64K"
reach_bytes = "4M"
penalty_cycles = 90
ways = 4

[local]
bytes = "48K"
latency_cycles = 22

[clock]
mhz = 1500

[noise]
burst_share = 0.3
burst_dispatches = 12
burst_factor = 1.5
)";

/// The refusal of kText with its one occurrence of `from` replaced.
std::string refusal(std::string_view from, std::string_view to) {
  std::string text(kText);
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  REQUIRE_MESSAGE(text.find(from, at + 1) == std::string::npos, std::string(from));
  try {
    parse_model(text.replace(at, from.size(), to), "m.toml");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST_CASE("sim effects: a model has those of its file") {
  const Model model = parse_model(kText, "m.toml");
  REQUIRE(model.pages);
  CHECK(model.pages->page_bytes == 65536);
  CHECK(model.pages->seed == 9);
  REQUIRE(model.dram);
  CHECK(model.dram->row_bytes == 2048);
  CHECK(model.dram->banks == 16);
  CHECK(model.dram->row_cycles == 60);
  REQUIRE(model.caches.size() == 3);
  CHECK(model.caches[0].prefetch == Prefetch::next);
  CHECK(model.caches[0].slices == 1);
  CHECK_FALSE(model.caches[0].physical);
  CHECK(model.caches[1].physical);
  CHECK(model.caches[1].slices == 5);
  CHECK(model.caches[1].foreign_share == 0.1);
  CHECK(model.caches[1].prefetch == Prefetch::adjacent);
  CHECK(model.caches[1].inclusion == Inclusion::independent);
  CHECK(model.caches[2].inclusion == Inclusion::exclusive);
  CHECK(model.paths[0].hops[1].far_lines_cycles == 290);
  CHECK_FALSE(model.paths[0].hops[0].far_lines_cycles);
  CHECK(model.tlbs[0].ways == 4);
  CHECK(model.noise.burst_share == 0.3);
  CHECK(model.noise.burst_dispatches == 12);
  CHECK(model.noise.burst_factor == 1.5);
  CHECK(needs_simulation(model));
  CHECK_FALSE(needs_simulation(load_model("t4")));
}

TEST_CASE("sim effects: contradictions are refused with their line") {
  CHECK_WORDS("model.page-of-three", refusal("page_bytes = \"64K\"\nseed", "page_bytes = \"48K\"\nseed"));
  CHECK_WORDS("model.one-page", refusal("page_bytes = \"64K\"\nseed", "page_bytes = \"1G\"\nseed"));
  CHECK_WORDS("model.short-page", refusal("page_bytes = \"64K\"\nseed", "page_bytes = 64\nseed"));
  CHECK_WORDS("model.no-pages", refusal("[pages]\npage_bytes = \"64K\"\nseed = 9\n", ""));
  CHECK_WORDS("model.uneven-slices", refusal("slices = 5", "slices = 3"));
  CHECK_WORDS("model.sliced-splits", refusal("slices = 5", "slices = 5\nsplits = [{ local_bytes = 1024, size_bytes = \"1M\" }]"));
  CHECK_WORDS("model.sliced-near-part", refusal("far_lines_cycles = 290", "near_bytes = \"640K\", far_latency_cycles = 290"));
  CHECK_WORDS("model.far-lines-and-part", refusal("latency_cycles = 30",
                                                  "latency_cycles = 30, far_lines_cycles = 40, "
                                                  "near_bytes = \"8K\", far_latency_cycles = 40"));
  CHECK_WORDS("model.quick-far-lines", refusal("far_lines_cycles = 290", "far_lines_cycles = 200"));
  CHECK_WORDS("model.far-lines-order", refusal("far_lines_cycles = 290", "far_lines_cycles = 320"));
  CHECK_WORDS("model.exclusive-foreign", refusal("inclusion = \"exclusive\"", "inclusion = \"exclusive\"\nforeign_share = 0.1"));
  CHECK_WORDS("model.exclusive-sectors", refusal("inclusion = \"exclusive\"", "inclusion = \"exclusive\"\nsector_bytes = 32"));
  CHECK_WORDS("model.first-exclusive", refusal("prefetch = \"next\"", "inclusion = \"exclusive\""));
  CHECK_WORDS("model.exclusive-near-part",
              refusal("latency_cycles = 320", "latency_cycles = 320, near_bytes = \"4M\", far_latency_cycles = 400"));
  CHECK_WORDS("model.exclusive-lines", refusal("slices = 5", "slices = 5\nsector_bytes = 64"));
  CHECK_WORDS("model.exclusive-addresses", refusal("physical = true\ninclusion", "inclusion"));
  CHECK_WORDS("model.inclusive-addresses", refusal("\"exclusive\"", "\"inclusive\""));
  CHECK_WORDS("model.tlb-ways", refusal("penalty_cycles = 90\nways = 4", "penalty_cycles = 90\nways = 5"));
  CHECK_WORDS("model.unknown-prefetch", refusal("\"adjacent\"", "\"stream\""));
}

}  // namespace
}  // namespace percycle::sim::sim_effect_rules_test
