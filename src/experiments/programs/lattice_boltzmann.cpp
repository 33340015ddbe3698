#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/data_words.hpp"
#include "core/figures.hpp"
#include "expected/lattice_boltzmann.hpp"
#include "experiments/bandwidth/parts/best_configuration.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/product.hpp"
#include "experiments/experiment.hpp"
#include "experiments/programs/parts/program_sizes.hpp"
#include "experiments/programs/parts/result_check.hpp"
#include "platform/all_cores.hpp"

namespace percycle::lattice_boltzmann_experiment {
namespace {

constexpr const char* kCells = "cells";
constexpr const char* kGroupSize = "group_size";

constexpr std::uint64_t kFewestCells = 1024;

const std::vector<KernelParameter> kLatticeParameters{{"loops", "steps; 0: no work"},
                                                      {"tile_mask", "of the number of a work-group"},
                                                      {"stride", "words from one direction's array to the next"},
                                                      {"x_mask", "bits of a cell's number"},
                                                      {"y_mask", ""},
                                                      {"z_mask", ""},
                                                      {"omega", "a floating-point number"},
                                                      {"salt", ""}};

/// A point.
struct LatticeStep {
  std::uint32_t cells = 0;
  std::uint32_t group_size = 0;

  Lattice lattice(std::uint32_t salt) const { return lattice_of(static_cast<std::uint32_t>(std::bit_width(cells)) - 1, salt); }
  ResultWords result() const { return {.arrays = kLatticeDirections, .words = cells, .stride = lattice(0).stride()}; }
};

LatticeStep step_of(const Point& point) {
  return {.cells = number<std::uint32_t>(point, kCells), .group_size = number<std::uint32_t>(point, kGroupSize)};
}

Outcome compare_populations(const Lattice& lattice, std::span<const std::uint32_t> words) {
  const auto first_wrong = [&](std::size_t row) -> std::optional<std::string> {
    const auto begin = static_cast<std::uint32_t>(row) * lattice.width;
    for (std::uint32_t cell = begin; cell < begin + lattice.width; ++cell) {
      const auto expected = lattice_step(lattice, cell);
      for (std::uint32_t i = 0; i < kLatticeDirections; ++i) {
        const double found = std::bit_cast<float>(words[std::size_t{i} * lattice.stride() + cell]);
        // NaN is no small difference either.
        if (!(std::abs(found - expected[i]) <= kLatticeTolerance))
          return fmt::format("population {} of cell {} is {} instead of {}", i, cell, found, expected[i]);
      }
    }
    return std::nullopt;
  };
  const auto wrong = first_on_all_cores(std::size_t{lattice.height} * lattice.depth, first_wrong);
  return wrong ? Outcome{Status::invalid, *wrong} : Outcome{};
}

/// A step of the lattice-Boltzmann method (docs/experiments/programs.md).
class LatticeBoltzmann final : public Experiment {
 public:
  std::string name() const override { return "lattice-boltzmann"; }

  Presentation presentation() const override {
    return {
        .title = "Lattice-Boltzmann step",
        .question = "How many cells per second does a fluid simulation update?",
        .method =
            "A step of D3Q19 in single precision: each cell of a periodic box reads 19 populations, lets them collide and "
            "writes them to a second box. "
            "The host computes the step of every cell. "
            "`percycle ceilings` prints the share of the bandwidth and the rate that were measured on the same device.",
        .metric = "1e9 cells per second, and GB/s: each population is read once and written once",
        .operation = "cell",
        .order = 510,
        .configuration = {kGroupSize},
        .sizes = {kCells},
        .limits = {{.only = {{kProgramLevel, kInMemory}}, .quantity = Quantity::memory}},
        .takes_all_units = true,
        .bars = {{.y = {figures::kGopsPerS}}},
        .programs = {program_rule(kInCaches, {}, kLatticeFlops, {kCells}), program_rule(kInMemory, {}, kLatticeFlops, {kCells})}};
  }

  std::vector<ParameterSpec> parameters() const override { return {kProgramLevels}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    const Search search{{{kGroupSize, program_group_sizes(device, options.preset)}}, 1, Merit::device};
    std::vector<Point> points;
    for (Point& question : product({name(), {}}, {{kProgramLevel, options[kProgramLevels]}})) {
      const std::uint64_t wanted = program_bytes(device, options.preset, word(question, kProgramLevel)) / kLatticeBytes;
      question.parameters[kCells] = std::bit_floor(std::max(std::min(wanted, most_cells(device)), kFewestCells));
      append(points, searched(*this, device, question, search, done));
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (!device.model.empty()) return kNotSimulated;
    const LatticeStep step = step_of(point);
    if (auto reason = group_unsupported(device, step.group_size, {})) return reason;
    if (step.cells / step.group_size > device.max_groups)
      return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
    return result_unsupported(device, step.result());
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    const LatticeStep step = step_of(point);
    const Lattice lattice = step.lattice(DataWords(seed).salt());
    const auto kernel = [&](const char* role, std::uint32_t group_size) {
      return device.create(KernelDesc{.name = "lattice_boltzmann",
                                      .definitions = {{"ROLE", role}},
                                      .local_size = group_size,
                                      .bindings = {{"before"}, {"after"}},
                                      .parameters = kLatticeParameters});
    };
    const auto timed = kernel("ROLE_TIMED", step.group_size);
    const auto filling = kernel("ROLE_FILL", kResultBlock);
    const std::uint64_t bytes = std::uint64_t{kLatticeDirections} * lattice.stride() * sizeof(float);
    const auto before = device.create(BufferDesc{bytes});
    const auto after = device.create(BufferDesc{bytes});
    const std::uint32_t plane = lattice.width * lattice.height;
    const auto dispatch = [&](const std::shared_ptr<Kernel>& made, std::uint32_t group_size) {
      const std::uint32_t tiles = step.cells / group_size;
      return Dispatch{made,
                      {{before, nullptr}, {after, nullptr}},
                      {{"loops", 0},
                       {"tile_mask", tiles - 1},
                       {"stride", lattice.stride()},
                       {"x_mask", lattice.width - 1},
                       {"y_mask", plane - lattice.width},
                       {"z_mask", lattice.cells() - plane},
                       {"omega", std::bit_cast<std::uint32_t>(kLatticeOmega)},
                       {"salt", lattice.salt}},
                      tiles};
    };
    Trial trial;
    trial.setup = {dispatch(filling, kResultBlock)};
    trial.timed.dispatch = dispatch(timed, step.group_size);
    trial.timed.groups_per_loop = trial.timed.dispatch.groups;
    trial.timed.max_loops = most_steps(device.info(), trial.timed.dispatch.groups);
    trial.timed.turn = {
        {.path = MemoryPath::global, .kind = AccessKind::read, .width = sizeof(float), .count = kLatticeDirections},
        {.path = MemoryPath::global, .kind = AccessKind::write, .width = sizeof(float), .count = kLatticeDirections}};
    trial.timed.verify = ResultCheck(device, step.result(), after, [lattice](std::span<const std::uint32_t> words) {
      return compare_populations(lattice, words);
    });
    trial.repeatable = true;
    trial.work = Work{.bytes_per_op = std::uint64_t{step.cells} * kLatticeBytes,
                      .group_bytes_per_op = std::uint64_t{step.group_size} * kLatticeBytes};
    trial.participants = Participants{.dispatch = step.cells, .group = step.group_size};
    observe_execution(trial, device);
    apply_role(trial, point);
    return trial;
  }

 private:
  /// Without the padding between arrays.
  static std::uint64_t most_cells(const DeviceInfo& device) {
    const std::uint64_t of_buffer = chase_capacity(device, "global-index") / (kLatticeBytes / 2);
    return std::min(of_buffer, device.max_groups * kResultBlock) / 9 * 8;
  }
};

const RegisterExperiment registered(std::make_unique<LatticeBoltzmann>());

}  // namespace
}  // namespace percycle::lattice_boltzmann_experiment
