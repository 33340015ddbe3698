#include "experiments/sweep_sum.hpp"

#include "experiments/multiply_add.hpp"

namespace percycle {
namespace {

constexpr std::uint32_t kMultiply = 5;

}  // namespace

SweepSum::SweepSum(const SweepShape& shape, const std::function<std::uint32_t(std::uint64_t)>& word)
    : shape_(shape), turns_per_lap_(shape.rows / shape.unroll) {
  const std::uint32_t channels = shape.width / 4;
  turns_.reserve(shape.lanes * turns_per_lap_ * channels);
  for (std::uint64_t lane = 0; lane < shape.lanes; ++lane) {
    for (std::uint64_t turn = 0; turn < turns_per_lap_; ++turn) {
      for (std::uint32_t channel = 0; channel < channels; ++channel) {
        std::uint32_t joined = 0;
        for (std::uint64_t row = turn * shape.unroll; row < (turn + 1) * shape.unroll; ++row) {
          joined ^= word((lane * shape.stride + row * shape.lanes) * channels + channel);
        }
        turns_.push_back(joined);
      }
    }
  }
}

std::uint32_t SweepSum::value(std::uint32_t lane, std::uint64_t turns) const {
  const std::uint32_t channels = shape_.width / 4;
  const std::uint32_t* of_lane = turns_.data() + lane * turns_per_lap_ * channels;
  std::uint32_t folded = 0;
  for (std::uint32_t channel = 0; channel < channels; ++channel) {
    const auto some = [&](std::uint32_t sum, std::uint64_t count) {
      for (std::uint64_t turn = 0; turn < count; ++turn) sum = sum * kMultiply + of_lane[turn * channels + channel];
      return sum;
    };
    // A lap is an affine map of its own, x -> 5^turns x + what it makes of 0.
    const std::uint32_t lap = multiply_add_chain(1, kMultiply, 0, turns_per_lap_);
    const std::uint32_t sum = multiply_add_chain(0, lap, some(0, turns_per_lap_), turns / turns_per_lap_);
    folded += (2 * channel + 1) * some(sum, turns % turns_per_lap_);
  }
  return folded;
}

}  // namespace percycle
