#include "expected/convolution.hpp"

#include <array>
#include <bit>

#include "core/data_words.hpp"

namespace percycle {
namespace {

constexpr std::uint32_t kTaps = 3;
constexpr std::uint32_t kPeriodArea = kConvolutionPeriod * kConvolutionPeriod;
constexpr std::uint32_t kWeightSalt = 0x5eed;

std::uint32_t repeated_addend(std::uint32_t salt, std::uint32_t channel, std::uint32_t x, std::uint32_t y) {
  constexpr std::uint32_t kMask = kConvolutionPeriod - 1;
  const std::uint32_t place = (channel * kConvolutionPeriod + (y & kMask)) * kConvolutionPeriod + (x & kMask);
  return lowbias32(place ^ salt) & 0x1ff;
}

std::uint32_t row_addend(std::uint32_t salt, std::uint32_t y) { return lowbias32(y ^ ~salt) & 0xff; }

std::uint32_t column_addend(std::uint32_t salt, std::uint32_t x) { return lowbias32(x ^ ~salt) >> 24; }

}  // namespace

std::uint32_t convolution_input(const ConvolutionLayer& layer, std::uint32_t channel, std::uint32_t x, std::uint32_t y) {
  return repeated_addend(layer.salt, channel, x, y) + row_addend(layer.salt, y) + column_addend(layer.salt, x);
}

std::uint32_t convolution_weight(std::uint32_t to, std::uint32_t from, std::uint32_t dx, std::uint32_t dy) {
  return 2 * (lowbias32((((to << 8) + from) * kTaps + dy) * kTaps + dx + kWeightSalt) & 0x1f) + 1;
}

std::vector<float> convolution_weights(std::uint32_t channels) {
  std::vector<float> weights;
  for (std::uint32_t from = 0; from < channels; from += 4) {
    for (std::uint32_t dx = 0; dx < kTaps; ++dx) {
      for (std::uint32_t dy = 0; dy < kTaps; ++dy) {
        for (std::uint32_t to = 0; to < channels; to += 4) {
          for (std::uint32_t i = 0; i < 16; ++i)
            weights.push_back(static_cast<float>(convolution_weight(to + i % 4, from + i / 4, dx, dy)));
        }
      }
    }
  }
  return weights;
}

ConvolutionOutput::ConvolutionOutput(const ConvolutionLayer& layer)
    : layer_(layer),
      periodic_(std::size_t{layer.channels} * kPeriodArea),
      rows_(std::size_t{layer.channels} * layer.height),
      columns_(std::size_t{layer.channels} * layer.width) {
  std::vector<std::uint32_t> input(kPeriodArea);
  for (std::uint32_t from = 0; from < layer.channels; ++from) {
    for (std::uint32_t at = 0; at < kPeriodArea; ++at)
      input[at] = repeated_addend(layer.salt, from, at % kConvolutionPeriod, at / kConvolutionPeriod);
    for (std::uint32_t to = 0; to < layer.channels; ++to) {
      for (std::uint32_t tap = 0; tap < kTaps * kTaps; ++tap) {
        const std::uint32_t dx = tap % kTaps;
        const std::uint32_t dy = tap / kTaps;
        const std::uint32_t weight = convolution_weight(to, from, dx, dy);
        for (std::uint32_t at = 0; at < kPeriodArea; ++at) {
          const std::uint32_t x = (at + dx) % kConvolutionPeriod;
          const std::uint32_t y = (at / kConvolutionPeriod + dy) % kConvolutionPeriod;
          periodic_[to * kPeriodArea + at] += weight * input[y * kConvolutionPeriod + x];
        }
      }
    }
  }
  for (std::uint32_t to = 0; to < layer.channels; ++to) {
    std::array<std::uint32_t, kTaps> row_weights{};
    std::array<std::uint32_t, kTaps> column_weights{};
    for (std::uint32_t from = 0; from < layer.channels; ++from) {
      for (std::uint32_t tap = 0; tap < kTaps * kTaps; ++tap) {
        const std::uint32_t weight = convolution_weight(to, from, tap % kTaps, tap / kTaps);
        column_weights.at(tap % kTaps) += weight;
        row_weights.at(tap / kTaps) += weight;
      }
    }
    for (std::uint32_t i = 0; i < kTaps; ++i) {
      for (std::uint32_t y = 0; y < layer.height; ++y)
        rows_[to * layer.height + y] += row_weights.at(i) * row_addend(layer.salt, y + i);
      for (std::uint32_t x = 0; x < layer.width; ++x)
        columns_[to * layer.width + x] += column_weights.at(i) * column_addend(layer.salt, x + i);
    }
  }
}

std::optional<std::size_t> ConvolutionOutput::first_wrong(std::span<const std::uint32_t> words, std::size_t row) const {
  const auto plane = static_cast<std::uint32_t>(row / layer_.height);
  const auto y = static_cast<std::uint32_t>(row % layer_.height);
  std::size_t at = row * layer_.width * 4;
  for (std::uint32_t x = 0; x < layer_.width; ++x) {
    for (std::uint32_t i = 0; i < 4; ++i, ++at) {
      if (std::bit_cast<float>(words[at]) != static_cast<float>(value(4 * plane + i, x, y))) return at;
    }
  }
  return std::nullopt;
}

}  // namespace percycle
