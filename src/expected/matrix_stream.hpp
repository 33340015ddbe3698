#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace percycle {

/// The choice of numbers for the factors of kernel pair `matrix_stream`.
struct MatrixNumbers {
  bool is_signed = true;
  /// Only the last product of a chain in a turn changes its sums, for sums with few exact integers.
  bool is_slow = false;

  bool operator==(const MatrixNumbers&) const = default;
};

/// Factors of kernel pair `matrix_stream`: small integers, hashed. In a turn, products of `first`
/// and `second` with `right` take turns, and `last` stands for the last `second`. Signed products
/// cancel each other but for one number in each row of a left factor, so that sums grow slowly.
struct MatrixFactors {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::uint32_t depth = 0;
  std::vector<int> first;   ///< by rows
  std::vector<int> second;  ///< by rows
  std::vector<int> last;    ///< by rows
  std::vector<int> right;   ///< by columns
};

/// The largest change of an element of a sum by two signed products that follow each other.
inline constexpr std::uint32_t kMostMatrixGrowth = 3;

MatrixFactors matrix_factors(std::uint32_t rows, std::uint32_t columns, std::uint32_t depth, MatrixNumbers numbers);

/// The result of a subgroup by rows: the sum of `chains` sums that began at 1, 2, ... after turns
/// of `pairs` pairs of products each.
std::vector<double> matrix_results(const MatrixFactors& factors, std::uint32_t chains, std::uint64_t turns, std::uint32_t pairs);

/// Integers from -4 to 4 in a format of MatrixShape::factors, such as "fp16" or "sint8". Throws
/// std::invalid_argument for others.
std::vector<std::byte> encode_numbers(std::span<const int> numbers, std::string_view format);

}  // namespace percycle
