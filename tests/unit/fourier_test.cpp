#include "expected/fourier.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "core/data_words.hpp"

namespace percycle::fourier_test {
namespace {

using Numbers = std::vector<std::complex<double>>;

/// The definition, term by term.
Numbers defined(const Numbers& values) {
  const double length = static_cast<double>(values.size());
  Numbers sums(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    for (std::size_t n = 0; n < values.size(); ++n) {
      const double turns = static_cast<double>(k * n % values.size()) / length;
      sums[k] += values[n] * std::polar(1.0, -2 * std::numbers::pi * turns);
    }
  }
  return sums;
}

TEST_CASE("fourier: the fast transform equals the definition for every short power of two") {
  const DataWords words(7);
  for (const std::size_t length : {2, 4, 8, 64, 256}) {
    Numbers values;
    for (std::size_t i = 0; i < length; ++i) values.emplace_back(words.word(2 * i) * 0x1p-32, words.word(2 * i + 1) * 0x1p-32);
    const Numbers expected = defined(values);
    FourierTransform(length).transform(values);
    for (std::size_t k = 0; k < length; ++k) {
      CAPTURE(length);
      CAPTURE(k);
      CHECK(std::abs(values[k] - expected[k]) < 1e-12 * static_cast<double>(length));
    }
  }
}

TEST_CASE("fourier: a single frequency becomes one number, with the sign of the exponent") {
  constexpr std::size_t kLength = 1024;
  Numbers wave;
  for (std::size_t n = 0; n < kLength; ++n)
    wave.push_back(std::polar(1.0, 2 * std::numbers::pi * static_cast<double>(5 * n % kLength) / kLength));
  FourierTransform(kLength).transform(wave);
  for (std::size_t k = 0; k < kLength; ++k) CHECK(std::abs(wave[k] - (k == 5 ? 1024.0 : 0.0)) < 1e-9);
}

}  // namespace
}  // namespace percycle::fourier_test
