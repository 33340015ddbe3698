#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace percycle {

/// Pixels in each direction after which one of the addends of the input repeats.
inline constexpr std::uint32_t kConvolutionPeriod = 64;

/// A layer of kernel pair `convolution`: every channel of the output is a weighted sum of 3 x 3
/// pixels of every channel of the input, which has a border of one pixel.
struct ConvolutionLayer {
  std::uint32_t channels = 4;  ///< of the input and of the output: 4 or 16
  std::uint32_t width = 1;     ///< pixels of the output
  std::uint32_t height = 1;
  std::uint32_t salt = 0;

  /// Planes, each with four channels of a pixel.
  std::uint32_t quads() const { return channels / 4; }
  std::uint32_t pixels() const { return width * height; }
  /// Pixels in a row of the input, and in a plane of it.
  std::uint32_t row() const { return width + 2; }
  std::uint32_t input_plane() const { return row() * (height + 2); }
  /// Bytes that must move for a pixel: each channel of input and output once.
  std::uint32_t bytes_per_pixel() const { return 2 * channels * 4; }
  double flops_per_pixel() const { return 2.0 * 9 * channels * channels; }
};

/// A channel of a pixel of the input, border included: a whole number below 1024.
std::uint32_t convolution_input(const ConvolutionLayer& layer, std::uint32_t channel, std::uint32_t x, std::uint32_t y);

/// The weight of one channel of the input for one of the output, at one of the 3 x 3 pixels: an odd
/// number below 64. Sums stay below 2^24, so a float holds them exactly in every order.
std::uint32_t convolution_weight(std::uint32_t to, std::uint32_t from, std::uint32_t dx, std::uint32_t dy);

/// All weights in the order in which the kernel reads them: four channels of the output, by the
/// channel of a quad of the input, the quad of the output, dy, dx, and the quad of the input.
std::vector<float> convolution_weights(std::uint32_t channels);

/// The output of a layer. The input has an addend with a period, one of the row and one of the
/// column, so the output has three, too.
class ConvolutionOutput {
 public:
  explicit ConvolutionOutput(const ConvolutionLayer& layer);

  std::uint32_t value(std::uint32_t channel, std::uint32_t x, std::uint32_t y) const {
    const std::uint32_t row = channel * kConvolutionPeriod + y % kConvolutionPeriod;
    return periodic_[row * kConvolutionPeriod + x % kConvolutionPeriod] + rows_[channel * layer_.height + y] +
           columns_[channel * layer_.width + x];
  }

  /// The first of a row's words that is not this output; empty if all are. Words are floating-point
  /// numbers, four channels of a pixel after the other, then pixels, rows and planes. Rows count on
  /// from plane to plane. Several threads may call it.
  std::optional<std::size_t> first_wrong(std::span<const std::uint32_t> words, std::size_t row) const;

 private:
  ConvolutionLayer layer_;
  std::vector<std::uint32_t> periodic_;  ///< by channel, y and x in a period
  std::vector<std::uint32_t> rows_;      ///< by channel and y
  std::vector<std::uint32_t> columns_;   ///< by channel and x
};

}  // namespace percycle
