#include "expected/branches.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "check_words.hpp"
#include "codegen/assembly/amdgcn.hpp"
#include "codegen/assembly/gen.hpp"
#include "codegen/assembly/sass.hpp"
#include "codegen/assembly/timed_loop.hpp"
#include "core/figures.hpp"
#include "fake_device.hpp"
#include "measured_plan.hpp"
#include "sim_examples.hpp"

namespace percycle::branches_test {
namespace {

constexpr std::uint32_t kStart = 0x2545f492u;

/// Runs the statements of a turn as a compiler would.
class Statements {
 public:
  Statements(std::string_view text, std::uint32_t side) : rest_(text), side_(side) {}

  std::uint32_t turn(std::uint32_t x) {
    while (!rest_.empty() && rest_.front() != '}') {
      if (takes("if (TAKEN(")) {
        const bool taken = (side_ >> number() & 1u) != 0;
        takes(") != 0u) { ");
        const std::uint32_t first = turn(x);
        takes("} else { ");
        const std::uint32_t second = turn(x);
        takes("}");
        takes(" ");
        x = taken ? first : second;
      } else if (takes("x = (x + ")) {
        x += number();
        x = takes("u) & p.and_mask;") ? x & kBranchAndMask : takes("u) | p.or_mask;") ? x | kBranchOrMask : 0;
        takes(" ");
      } else {
        FAIL("no statement: ", std::string(rest_));
      }
    }
    return x;
  }

 private:
  bool takes(std::string_view part) {
    if (!rest_.starts_with(part)) return false;
    rest_.remove_prefix(part.size());
    return true;
  }

  std::uint32_t number() {
    std::size_t length = 0;
    const auto value = static_cast<std::uint32_t>(std::stoul(std::string(rest_), &length, 0));
    rest_.remove_prefix(length);
    return value;
  }

  std::string_view rest_;
  std::uint32_t side_;
};

TEST_CASE("branches: the closed form is the end of the statements, on every side") {
  for (std::uint32_t depth = 1; depth <= kDeepestBranches; ++depth) {
    for (const std::uint32_t operations : {2u, 4u, 16u}) {
      const BranchSides sides{.depth = depth, .operations = operations};
      CAPTURE(sides.text());
      for (std::uint32_t side = 0; side < sides.count(); ++side) {
        for (const std::uint32_t start : {kStart, kStart + 1}) {
          std::uint32_t x = start;
          for (std::uint64_t turns = 0; turns < 5; ++turns) {
            CHECK(sides.end(start, side, turns) == x);
            x = Statements(sides.text(), side).turn(x);
          }
        }
      }
    }
  }
}

TEST_CASE("branches: the control adds up the conditions") {
  const BranchSides control{.depth = 3, .operations = 0};
  CHECK(control.text() == "x += TAKEN(0) + TAKEN(1) + TAKEN(2);");
  CHECK(control.end(7, 0b101, 1000) == 2007);
}

double net_cycles(const std::vector<PointResult>& results, int depth, int operations, const std::string& share) {
  for (const PointResult& result : results) {
    const Parameters& parameters = result.point.parameters;
    if (integer(parameters, "depth") != depth || integer(parameters, "operations") != operations) continue;
    if (!has_word(parameters, "share", share)) continue;
    REQUIRE(result.outcome.status == Status::ok);
    return result.measurement->statistics.at(figures::kNetCyclesPerOp).median;
  }
  return 0;
}

TEST_CASE("branches: lanes that do not agree pay for every side that one of them takes") {
  sim::Model model = sim::examples::small();
  model.unit_clock = sim::UnitClock{};
  const auto results = sim::measured_plan(model, "branches");
  CHECK(results.size() == 40);
  const double operation = model.cycles_per_operation;
  for (const int operations : {4, 64}) {
    CAPTURE(operations);
    const auto net = [&](int depth, const char* share) { return net_cycles(results, depth, operations, share); };
    const double side = operations * operation;
    for (const char* share : {"no lane", "all lanes"}) CHECK(net(1, share) == doctest::Approx(side).epsilon(0.005));
    for (const char* share : {"one lane", "1/4", "1/2", "3/4", "all lanes but one"})
      CHECK(net(1, share) == doctest::Approx(2 * side).epsilon(0.005));
    CHECK(net(3, "all lanes") == doctest::Approx(side).epsilon(0.005));
    CHECK(net(2, "1/2") == doctest::Approx(4 * side).epsilon(0.005));
    CHECK(net(3, "1/2") == doctest::Approx(8 * side).epsilon(0.005));
  }
}

TEST_CASE("branches: one point says that subgroups are too small, or their size unknown") {
  const Experiment* const experiment = find_experiment("branches");
  const Options options = make_options({&experiment, 1}, {}, Preset::standard, 1).front();
  DeviceInfo device = fake::gpu();
  device.subgroup_sizes = {4};
  const auto points = experiment->plan(device, options, {});
  REQUIRE(points.size() == 1);
  CHECK_WORDS("branches.small-subgroup", experiment->unsupported(device, points.front()));
  device.subgroup_sizes.clear();
  CHECK_WORDS("branches.unknown-subgroup", experiment->unsupported(device, points.front()));
}

std::uint64_t decisions_of(const isa::Listing& listing) {
  const auto turn = isa::timed_turn(listing);
  REQUIRE(turn);
  return isa::decisions(listing, *turn);
}

TEST_CASE("branches: those that a compiler kept are counted without those that end or repeat the loop") {
  using isa::parse_amdgcn, isa::parse_gen, isa::parse_sass;
  // ACO leaves the loop at its head, jumps over a side that no lane takes, and jumps back.
  const std::string_view kept =
      "k:\nBB1:\ns_cbranch_scc1 BB9\ns_and_saveexec_b32 s2, vcc_lo\ns_cbranch_execz BB2\nv_add_u32 v1, v1, v2\nBB2:\n"
      "s_branch BB1\nBB9:\ns_endpgm\n";
  CHECK(decisions_of(parse_amdgcn(kept, "k")) == 1);
  CHECK(decisions_of(parse_amdgcn("k:\nBB1:\ns_cbranch_scc1 BB9\nv_add_u32 v1, v1, v2\nv_cndmask_b32 v1, v1, v3, vcc\n"
                                  "s_branch BB1\nBB9:\ns_endpgm\n",
                                  "k")) == 0);
  CHECK(decisions_of(parse_sass(".L_x_0:\n@P0 BRA `(.L_x_1) ;\nIADD3 R1, R1, R2, RZ ;\n.L_x_1:\n@P1 BRA `(.L_x_0) ;\nEXIT ;\n",
                                "k")) == 1);
  CHECK(decisions_of(parse_sass(".L_x_0:\n@P0 IADD3 R1, R1, R2, RZ ;\n@P1 BRA `(.L_x_0) ;\nEXIT ;\n", "k")) == 0);
  CHECK(decisions_of(parse_gen("L0:\n(W&f0.0) if (8|M0) L16 L32\nadd (8|M0) r1.0<1>:d r1.0<8;8,1>:d 1:w\nL16:\n"
                               "else (8|M0) L32 L32\nadd (8|M0) r1.0<1>:d r1.0<8;8,1>:d 2:w\nL32:\nendif (8|M0) L48\nL48:\n"
                               "(W&f0.1) while (8|M0) L0\n")) == 2);
}

}  // namespace
}  // namespace percycle::branches_test
