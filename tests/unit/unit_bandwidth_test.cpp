#include "expected/unit_bandwidth.hpp"

#include <doctest/doctest.h>

#include <array>
#include <set>
#include <vector>

#include "core/data_words.hpp"

namespace percycle::unit_bandwidth_test {
namespace {

/// Turn by turn, like the kernel.
std::uint32_t walked(const SweepShape& shape, const DataWords& words, std::uint32_t lane, std::uint64_t turns) {
  const std::uint32_t channels = shape.channels;
  std::vector<std::array<std::uint32_t, 4>> sums(channels);
  std::uint64_t row = 0;
  for (std::uint64_t turn = 0; turn < turns; ++turn) {
    for (std::uint32_t i = 0; i < shape.unroll; ++i, ++row) {
      for (std::uint32_t channel = 0; channel < channels; ++channel) {
        sums[channel][i % 4] += words.word((lane * shape.stride + row * shape.lanes) * channels + channel);
      }
    }
    if (row == shape.rows) row = 0;
  }
  constexpr std::uint32_t kFactors[]{1, 3, 5, 7};
  std::uint32_t folded = 0;
  for (std::uint32_t channel = 0; channel < channels; ++channel) {
    const auto& [a, b, c, d] = sums[channel];
    folded += kFactors[channel] * (a ^ b ^ c ^ d);
  }
  return folded;
}

TEST_CASE("sweep sum: the closed form is the walk") {
  const DataWords words(42);
  const auto word = [&](std::uint64_t index) { return words.word(index); };
  for (const std::uint32_t channels : {1, 2, 4}) {
    for (const std::uint32_t stride : {1, 3}) {
      for (const auto& pair : {std::pair{8u, 8u}, {24u, 8u}, {20u, 4u}}) {
        const auto& rows = pair.first;
        const auto& unroll = pair.second;
        const SweepShape shape{.channels = channels, .lanes = 32, .stride = stride, .rows = rows, .unroll = unroll};
        const SweepSum sum(shape, word);
        for (const std::uint64_t turns : {0, 1, 2, 3, 4, 5, 7, 64, 1000}) {
          for (const std::uint32_t lane : {0, 1, 31}) {
            CAPTURE(channels);
            CAPTURE(rows);
            CAPTURE(turns);
            CHECK(sum.value(lane, turns) == walked(shape, words, lane, turns));
          }
        }
      }
    }
  }
}

TEST_CASE("sweep sum: channels of a word, lowest bits first") {
  const auto word = [](std::uint64_t i) { return i == 0 ? 0x44332211u : 0x88776655u; };
  CHECK(channel_of(32, 1, word) == 0x88776655);
  CHECK(channel_of(16, 1, word) == 0x4433);
  CHECK(channel_of(16, 2, word) == 0x6655);
  CHECK(channel_of(8, 0, word) == 0x11);
  CHECK(channel_of(8, 7, word) == 0x88);
}

TEST_CASE("sweep sum: float channels hold a 0 or a 1 of their format, and are read as floats") {
  CHECK(zeros_and_ones(8, 0x01fe00ffu) == 0xff0000ffu);
  CHECK(zeros_and_ones(16, 0x0001fffeu) == 0x3c000000u);
  CHECK(zeros_and_ones(16, 0x0100ffffu) == 0x00003c00u);
  const auto word = [](std::uint64_t i) { return i == 0 ? 0xff0000ffu : 0x3c000000u; };
  CHECK(float_channel_of(8, 0, word) == 0x3f800000);
  CHECK(float_channel_of(8, 1, word) == 0);
  CHECK(float_channel_of(8, 3, word) == 0x3f800000);
  CHECK(float_channel_of(16, 2, word) == 0);
  CHECK(float_channel_of(16, 3, word) == 0x3f800000);
}

TEST_CASE("sweep sum: no two counts of turns end alike, and a row that is never read shows after a million of them") {
  const SweepShape shape{.channels = 1, .lanes = 32, .stride = 1, .rows = 8, .unroll = 8};
  const DataWords words(42);
  const SweepSum sum(shape, [&](std::uint64_t index) { return words.word(index); });
  std::set<std::uint32_t> values;
  for (std::uint64_t turns = 0; turns < 5000; ++turns) values.insert(sum.value(3, turns));
  CHECK(values.size() == 5000);
  const SweepSum lacking(shape, [&](std::uint64_t index) { return index / 32 == 5 ? 0 : words.word(index); });
  CHECK(sum.value(3, 1 << 20) != lacking.value(3, 1 << 20));
}

}  // namespace
}  // namespace percycle::unit_bandwidth_test
