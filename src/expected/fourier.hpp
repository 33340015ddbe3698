#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace percycle {

/// The discrete Fourier transform of a fixed length, a power of two, in double precision: the sum
/// of x[n] exp(-2 pi i k n / length), not scaled.
class FourierTransform {
 public:
  explicit FourierTransform(std::size_t length);

  /// Replaces the values, as many as the length, by their transform. Several threads may call it.
  void transform(std::vector<std::complex<double>>& values) const;

 private:
  std::vector<std::complex<double>> factors_;  ///< exp(-2 pi i k / length) of the first half
};

}  // namespace percycle
