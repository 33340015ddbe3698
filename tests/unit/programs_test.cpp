#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "check_words.hpp"
#include "expected/convolution.hpp"
#include "expected/gemm.hpp"
#include "expected/lattice_boltzmann.hpp"
#include "experiments/experiment.hpp"
#include "experiments/programs/parts/result_check.hpp"
#include "fake_device.hpp"
#include "measure/measurer.hpp"
#include "platform/all_cores.hpp"
#include "sim/sim.hpp"
#include "sim_examples.hpp"
#include "unit/brief_measurements.hpp"

namespace percycle::programs_test {
namespace {

using Populations = std::array<double, kLatticeDirections>;

/// Density and flow along the three axes of some populations.
std::array<double, 4> moments(const Populations& populations) {
  const auto sum = [&](const std::vector<int>& along, const std::vector<int>& against) {
    double flow = 0;
    for (const int i : along) flow += populations.at(static_cast<std::size_t>(i));
    for (const int i : against) flow -= populations.at(static_cast<std::size_t>(i));
    return flow;
  };
  return {std::accumulate(populations.begin(), populations.end(), 0.0), sum({1, 7, 9, 13, 15}, {2, 8, 10, 14, 16}),
          sum({3, 7, 11, 14, 17}, {4, 8, 12, 13, 18}), sum({5, 9, 11, 16, 18}, {6, 10, 12, 15, 17})};
}

TEST_CASE("lattice-boltzmann: sides are as equal as possible, and a float holds every population before the step") {
  const Lattice box = lattice_of(10, 7);
  CHECK(box.width == 16);
  CHECK(box.height == 8);
  CHECK(box.depth == 8);
  CHECK(box.cells() == 1024);
  for (std::uint32_t i = 0; i < kLatticeDirections; ++i) {
    const double population = lattice_population(box, i, 77);
    CHECK(double{static_cast<float>(population)} == population);
    CHECK(population == doctest::Approx(i == 0 ? 1.0 / 3 : i < 7 ? 1.0 / 18 : 1.0 / 36).epsilon(0.15));
  }
}

TEST_CASE("lattice-boltzmann: populations move by one cell, and a collision keeps density and flow") {
  const Lattice box = lattice_of(9, 3);
  // One cell: the neighbours of the last corner lie around the edges of the box.
  const std::uint32_t corner = box.cells() - 1;
  const auto at = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) { return x % 8 + 8 * (y % 8) + 64 * (z % 8); };
  Populations pulled{};
  for (const auto& [i, x, y, z] : std::vector<std::array<std::uint32_t, 4>>{{0, 7, 7, 7},
                                                                            {1, 6, 7, 7},
                                                                            {2, 8, 7, 7},
                                                                            {3, 7, 6, 7},
                                                                            {4, 7, 8, 7},
                                                                            {5, 7, 7, 6},
                                                                            {6, 7, 7, 8},
                                                                            {7, 6, 6, 7},
                                                                            {8, 8, 8, 7},
                                                                            {9, 6, 7, 6},
                                                                            {10, 8, 7, 8},
                                                                            {11, 7, 6, 6},
                                                                            {12, 7, 8, 8},
                                                                            {13, 6, 8, 7},
                                                                            {14, 8, 6, 7},
                                                                            {15, 6, 7, 8},
                                                                            {16, 8, 7, 6},
                                                                            {17, 7, 6, 8},
                                                                            {18, 7, 8, 6}})
    pulled[i] = lattice_population(box, i, at(x, y, z));
  const auto before = moments(pulled);
  const auto after = moments(lattice_step(box, corner));
  for (std::size_t i = 0; i < before.size(); ++i) CHECK(after[i] == doctest::Approx(before[i]).epsilon(1e-12));
  // Omega is 1.5, so a population ends half as far from its equilibrium, on the other side.
  const double rest =
      before[0] / 3 * (1 - 1.5 * (before[1] * before[1] + before[2] * before[2] + before[3] * before[3]) / before[0] / before[0]);
  CHECK(lattice_step(box, corner)[0] - rest == doctest::Approx(-0.5 * (pulled[0] - rest)));
}

TEST_CASE("convolution: closed form of the output is the sum of 3 x 3 pixels of all channels, and a float holds it") {
  const ConvolutionLayer layer{.channels = 16, .width = 256, .height = 128, .salt = 99};
  const ConvolutionOutput output(layer);
  for (const auto& place :
       std::vector<std::array<std::uint32_t, 3>>{{0, 0, 0}, {3, 61, 62}, {5, 63, 64}, {9, 200, 100}, {15, 255, 127}}) {
    const std::uint32_t channel = place[0];
    const std::uint32_t x = place[1];
    const std::uint32_t y = place[2];
    std::uint32_t sum = 0;
    for (std::uint32_t from = 0; from < 16; ++from) {
      for (std::uint32_t dy = 0; dy < 3; ++dy) {
        for (std::uint32_t dx = 0; dx < 3; ++dx)
          sum += convolution_weight(channel, from, dx, dy) * convolution_input(layer, from, x + dx, y + dy);
      }
    }
    CHECK(output.value(channel, x, y) == sum);
  }
  std::vector<std::uint32_t> words;
  for (std::uint32_t plane = 0; plane < 4; ++plane) {
    for (std::uint32_t i = 0; i < 4 * layer.pixels(); ++i)
      words.push_back(std::bit_cast<std::uint32_t>(
          static_cast<float>(output.value(4 * plane + i % 4, i / 4 % layer.width, i / 4 / layer.width))));
  }
  const auto first_wrong = [&] {
    return first_on_all_cores(layer.height * layer.quads(), [&](std::size_t row) { return output.first_wrong(words, row); });
  };
  CHECK_FALSE(first_wrong());
  words[4 * layer.pixels() + 7] ^= 1;
  CHECK(first_wrong() == 4 * layer.pixels() + 7);
  CHECK(16 * 9 * 63 * 1023 < 1 << 24);
  CHECK(layer.flops_per_pixel() == 4608);
  CHECK(layer.bytes_per_pixel() == 128);
  CHECK(layer.input_plane() == 258 * 130);
}

TEST_CASE("convolution: weights lie in the order in which the kernel reads them") {
  const std::vector<float> weights = convolution_weights(16);
  REQUIRE(weights.size() == 9 * 16 * 16);
  // Plane 2 of the input, column 1, row 2, quad 3 of the output, channel 1 of the plane, output 2.
  const std::size_t at = ((((2 * 3 + 1) * 3 + 2) * 4 + 3) * 4 + 1) * 4 + 2;
  CHECK(weights[at] == static_cast<float>(convolution_weight(14, 9, 1, 2)));
}

TEST_CASE("gemm: closed form of the product is the sum over all places, and a changed word shows") {
  constexpr std::uint32_t kSize = 256;
  constexpr std::uint32_t kSalt = 77;
  const GemmProduct product(kSize, kSalt);
  std::int32_t most = 0;
  for (const auto& [row, column] :
       std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 0}, {1, 0}, {0, 1}, {130, 7}, {255, 254}}) {
    std::int32_t sum = 0;
    for (std::uint32_t place = 0; place < kSize; ++place) {
      const std::int32_t left = gemm_factor(kSize, kSalt, row, place);
      most = std::max({most, left, -left});
      sum += left * gemm_factor(kSize, kSalt, kSize + column, place);
    }
    CHECK(product.value(row, column) == sum);
  }
  CHECK(most <= 24);
  CHECK(24 * 24 * 8192 < 1 << 24);
  // Both factors differ, and so do rows, columns and the two triangles.
  CHECK(product.value(3, 5) != product.value(5, 3));
  CHECK(gemm_factor(kSize, kSalt, 0, 9) != gemm_factor(kSize, kSalt, kSize, 9));
  for (const GemmSums sums : {GemmSums::fp64, GemmSums::fp32, GemmSums::int32}) {
    std::vector<std::uint32_t> words;
    for (std::uint32_t i = 0; i < kSize * kSize; ++i) {
      const std::int32_t value = product.value(i / kSize, i % kSize);
      if (sums == GemmSums::int32) words.push_back(std::bit_cast<std::uint32_t>(value));
      if (sums == GemmSums::fp32) words.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(value)));
      if (sums != GemmSums::fp64) continue;
      const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(value));
      words.push_back(static_cast<std::uint32_t>(bits));
      words.push_back(static_cast<std::uint32_t>(bits >> 32));
    }
    CHECK_FALSE(product.first_wrong(words, sums, 17));
    words[words.size() / kSize * 17 + words.size() / kSize / kSize * 9] ^= 1;
    CHECK(product.first_wrong(words, sums, 17) == 9);
    CHECK_FALSE(product.first_wrong(words, sums, 16));
  }
}

TEST_CASE("programs: sums of a result notice a word that changed or moved") {
  const ResultWords shape{.arrays = 3, .words = 512, .stride = 520};
  std::vector<std::uint32_t> words(3 * 520);
  std::iota(words.begin(), words.end(), 5);
  const auto sums = result_sums(shape, words);
  REQUIRE(sums.size() == 2);
  std::uint32_t first = 0;
  for (std::uint32_t array = 0; array < 3; ++array) {
    for (std::uint32_t i = 0; i < 256; ++i) first += (2 * array + 1) * (2 * i + 1) * words[array * 520 + i];
  }
  CHECK(sums[0] == first);
  words[513] += 1;  // between two arrays
  CHECK(result_sums(shape, words) == sums);
  std::swap(words[520 + 300], words[520 + 301]);
  CHECK(result_sums(shape, words)[0] == sums[0]);
  CHECK(result_sums(shape, words)[1] != sums[1]);
}

std::vector<Point> planned(const char* experiment, const DeviceInfo& device, Preset preset) {
  const Experiment* one = find_experiment(experiment);
  return one->plan(device, make_options({&one, 1}, {}, preset, 1).front(), {});
}

TEST_CASE("programs: a plan has a size for the caches and one for the memory, in groups that the device can start") {
  DeviceInfo gpu = fake::gpu();  // 4 units, 65535 work-groups, storage buffers of 2 GiB
  std::vector<std::string> points;
  for (const Point& point : planned("lattice-boltzmann", gpu, Preset::full)) points.push_back(to_string(point.parameters));
  CHECK(points == std::vector<std::string>{
                      "cells=1024 group_size=256 level=l2 role=search", "cells=1024 group_size=128 level=l2 role=search",
                      "cells=1024 group_size=64 level=l2 role=search", "cells=4194304 group_size=256 level=dram role=search",
                      "cells=4194304 group_size=128 level=dram role=search"});
  points.clear();
  for (const Point& point : planned("lattice-boltzmann", gpu, Preset::standard)) points.push_back(to_string(point.parameters));
  CHECK(points == std::vector<std::string>{"cells=1024 group_size=256 level=l2 role=search",
                                           "cells=1024 group_size=64 level=l2 role=search",
                                           "cells=4194304 group_size=256 level=dram role=best"});
  points.clear();
  for (const Point& point : planned("convolution", gpu, Preset::quick)) points.push_back(to_string(point.parameters));
  CHECK(points == std::vector<std::string>{"channels=4 group_size=256 level=l2 pixels=8192 role=best",
                                           "channels=4 group_size=256 level=dram pixels=8388608 role=best",
                                           "channels=16 group_size=256 level=l2 pixels=4096 role=best",
                                           "channels=16 group_size=256 level=dram pixels=2097152 role=best"});
  gpu.max_storage_bytes = 128 << 20;
  CHECK(integer(planned("lattice-boltzmann", gpu, Preset::quick).back().parameters, "cells") == 1 << 20);
  CHECK(integer(planned("convolution", gpu, Preset::standard).back().parameters, "pixels") == 1 << 20);
  for (const char* experiment : {"lattice-boltzmann", "convolution"}) {
    for (const Point& point : planned(experiment, gpu, Preset::standard))
      CHECK_FALSE(find_experiment(experiment)->unsupported(gpu, point));
  }
  points.clear();
  for (const Point& point : planned("gemm", gpu, Preset::quick)) points.push_back(to_string(point.parameters));
  CHECK(points == std::vector<std::string>{"engine=lanes group_size=256 role=best size=2048 tile=128 type=fp64",
                                           "engine=lanes group_size=256 role=best size=2048 tile=128 type=fp32",
                                           "engine=lanes group_size=256 role=best size=2048 tile=128 type=fp16",
                                           "engine=lanes group_size=256 role=best size=2048 tile=128 type=int8"});
  gpu.constant_bytes = 8192;
  CHECK_WORDS("kernel.constants-8-kib",
              find_experiment("convolution")->unsupported(gpu, planned("convolution", gpu, Preset::quick).back()));
}

TEST_CASE("programs: simulated devices are unsupported with a reason") {
  const auto device = open_sim(sim::examples::small(), "test");
  const std::atomic<bool> stop{false};
  Measurer measurer(*device, stop);
  for (const char* experiment : {"lattice-boltzmann", "convolution", "gemm"}) {
    const Point point = planned(experiment, device->info(), Preset::quick).front();
    const PointResult result = measurer.measure(*find_experiment(experiment), point, examples::brief_protocol(), 7).result;
    CHECK(result.outcome.status == Status::unsupported);
    CHECK_WORDS("programs.not-simulated", result.outcome.reason);
  }
}

}  // namespace
}  // namespace percycle::programs_test
