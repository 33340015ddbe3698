#pragma once

#include <cstdint>
#include <vector>

namespace percycle {

/// Factors of kernel pair `matrix_stream`: small integers, hashed and not 0. Products of `first`
/// and `second` with `right` cancel each other but for one number in each row of the left factors,
/// so that sums grow slowly.
struct MatrixFactors {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::uint32_t depth = 0;
  std::vector<int> first;   ///< by rows
  std::vector<int> second;  ///< by rows
  std::vector<int> right;   ///< by columns
};

/// The largest change of an element of a sum by one product with each left factor.
inline constexpr std::uint32_t kMostMatrixGrowth = 3;

MatrixFactors matrix_factors(std::uint32_t rows, std::uint32_t columns, std::uint32_t depth);

/// The result of a subgroup by rows: the sum of `chains` sums that began at 1, 2, ... and to which
/// both products were added `pairs` times.
std::vector<double> matrix_results(const MatrixFactors& factors, std::uint32_t chains, std::uint64_t pairs);

}  // namespace percycle
