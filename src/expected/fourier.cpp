#include "expected/fourier.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace percycle {

FourierTransform::FourierTransform(std::size_t length) {
  factors_.reserve(length / 2);
  for (std::size_t k = 0; k < length / 2; ++k) {
    const double angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(length);
    factors_.emplace_back(std::cos(angle), std::sin(angle));
  }
}

/// Cooley and Tukey's: the values in bit-reversed order, then butterflies of doubling distance.
void FourierTransform::transform(std::vector<std::complex<double>>& values) const {
  const std::size_t length = 2 * factors_.size();
  for (std::size_t i = 1, reversed = 0; i < length; ++i) {
    std::size_t bit = length / 2;
    for (; (reversed & bit) != 0; bit /= 2) reversed ^= bit;
    reversed ^= bit;
    if (i < reversed) std::swap(values[i], values[reversed]);
  }
  for (std::size_t half = 1; half < length; half *= 2) {
    const std::size_t step = factors_.size() / half;
    for (std::size_t begin = 0; begin < length; begin += 2 * half) {
      for (std::size_t k = 0; k < half; ++k) {
        const std::complex<double> factor = factors_[k * step];
        const std::complex<double> odd = values[begin + half + k];
        // The library's product also looks for infinities.
        const std::complex<double> turned{odd.real() * factor.real() - odd.imag() * factor.imag(),
                                          odd.real() * factor.imag() + odd.imag() * factor.real()};
        values[begin + half + k] = values[begin + k] - turned;
        values[begin + k] += turned;
      }
    }
  }
}

}  // namespace percycle
