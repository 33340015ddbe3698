#include "experiments/programs/parts/fourier_program.hpp"

#include <string>

#include "core/figures.hpp"
#include "experiments/programs/parts/program_sizes.hpp"

namespace percycle {
namespace {

/// 5 operations for each halving of the length: a butterfly of two points has a complex product
/// (6) and two complex sums (4).
ProgramRule rule(const char* length, double halvings, const char* level) {
  return program_rule(level, {{kFourierLength, length}}, 5 * halvings, {kFourierLength, kFourierBatches});
}

const RegisterPresentation registered(kFourier, fourier_presentation());

}  // namespace

Presentation fourier_presentation() {
  return {.title = "Fourier transforms by VkFFT",
          .question = "How many points per second does VkFFT transform?",
          .method =
              "VkFFT transforms complex numbers of single precision from one buffer to another, many of one length at once. "
              "It compiles kernels of its own for the device. "
              "The host computes every transform in double precision. "
              "`percycle ceilings` prints the share of the bandwidth or rate that was measured on the same device.",
          .metric = "1e9 points per second, and GB/s: each point is read once and written once",
          .operation = "point",
          .order = 530,
          .sizes = {kFourierBatches},
          .limits = {{.only = {{kProgramLevel, kInMemory}}, .quantity = Quantity::memory}},
          .bars = {{.y = {figures::kGopsPerS}, .split = {kFourierLength}}},
          .words = {{kFourierLength, "", "{} points"}},
          .programs = {rule("256", 8, kInCaches), rule("256", 8, kInMemory), rule("4096", 12, kInCaches),
                       rule("4096", 12, kInMemory), rule("1048576", 20, kInCaches), rule("1048576", 20, kInMemory)}};
}

}  // namespace percycle
