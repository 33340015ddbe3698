#include "expected/unit_bandwidth.hpp"

namespace percycle {
namespace {

constexpr std::uint64_t kAccumulators = 4;

}  // namespace

SweepSum::SweepSum(const SweepShape& shape, const std::function<std::uint32_t(std::uint64_t)>& channel_at)
    : shape_(shape), turns_per_lap_(shape.rows / shape.unroll) {
  const std::uint32_t channels = shape.channels;
  const std::size_t values = channels * kAccumulators;
  sums_.reserve(shape.lanes * (turns_per_lap_ + 1) * values);
  for (std::uint64_t lane = 0; lane < shape.lanes; ++lane) {
    sums_.insert(sums_.end(), values, 0);
    for (std::uint64_t turn = 0; turn < turns_per_lap_; ++turn) {
      for (std::uint32_t channel = 0; channel < channels; ++channel) {
        for (std::uint64_t accumulator = 0; accumulator < kAccumulators; ++accumulator) {
          std::uint32_t sum = sums_[sums_.size() - values];
          for (std::uint64_t row = turn * shape.unroll + accumulator; row < (turn + 1) * shape.unroll; row += kAccumulators) {
            sum += channel_at((lane * shape.stride + row * shape.lanes) * channels + channel);
          }
          sums_.push_back(sum);
        }
      }
    }
  }
}

std::uint32_t SweepSum::value(std::uint32_t lane, std::uint64_t turns) const {
  const std::uint32_t channels = shape_.channels;
  const std::size_t values = channels * kAccumulators;
  const std::uint32_t* of_lane = sums_.data() + lane * (turns_per_lap_ + 1) * values;
  const std::uint32_t* lap = of_lane + turns_per_lap_ * values;
  const std::uint32_t* rest = of_lane + turns % turns_per_lap_ * values;
  // Modulo 2^32, like all sums.
  const auto laps = static_cast<std::uint32_t>(turns / turns_per_lap_);
  std::uint32_t folded = 0;
  for (std::uint32_t channel = 0; channel < channels; ++channel) {
    std::uint32_t joined = 0;
    for (std::uint64_t i = channel * kAccumulators; i < (channel + 1) * kAccumulators; ++i) joined ^= laps * lap[i] + rest[i];
    folded += (2 * channel + 1) * joined;
  }
  return folded;
}

}  // namespace percycle
