#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace percycle {

/// A number of the factors of kernel pair `gemm`: a whole one from -24 to 24, so every type of
/// factor and of sum holds it and all sums exactly, in every order. Line `line` is a row of the
/// left factor; from `size` on a column of the right one. `place` counts along the line.
std::int32_t gemm_factor(std::uint32_t size, std::uint32_t salt, std::uint32_t line, std::uint32_t place);

/// The type of the words of a product.
enum class GemmSums { fp64, fp32, int32 };

/// The product of two square matrices by the factors of gemm_factor(). Each number of a factor is
/// the sum of kRank products of a hash of its line and one of its place. The product therefore is
/// one of matrices of that rank, which takes little time.
class GemmProduct {
 public:
  GemmProduct(std::uint32_t size, std::uint32_t salt);

  std::int32_t value(std::uint32_t row, std::uint32_t column) const;

  /// The first column of a row whose word in the whole product is not the right one; empty if all
  /// are. Several threads may call it.
  std::optional<std::uint32_t> first_wrong(std::span<const std::uint32_t> words, GemmSums sums, std::uint32_t row) const;

 private:
  static constexpr std::size_t kRank = 4;
  using Hashes = std::array<std::int32_t, kRank>;
  friend std::int32_t gemm_factor(std::uint32_t size, std::uint32_t salt, std::uint32_t line, std::uint32_t place);
  /// A whole number for each byte: so many values around 0.
  static Hashes bytes_of(std::uint32_t hash, std::uint32_t values);
  static Hashes of_line(std::uint32_t line, std::uint32_t salt);
  static Hashes of_place(std::uint32_t size, std::uint32_t line, std::uint32_t place, std::uint32_t salt);

  std::vector<Hashes> rows_;  ///< times the sums over all places
  std::vector<Hashes> columns_;
};

/// A word or two of a product as a number.
double gemm_number(std::span<const std::uint32_t> words, GemmSums sums, std::size_t at);

}  // namespace percycle
