#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace percycle {

/// How far the run of a device is.
struct ProgressState {
  std::string device;
  std::string step;  ///< experiment in words
  double share = 0;  ///< 0 to 1
  double elapsed_s = 0;
  std::optional<double> remaining_s{};
};

/// "1:05", "2:00:05".
std::string clock_text(double seconds);

/// "1:30 left", "<10 s left"; empty where it is unknown.
std::string remaining_text(const std::optional<double>& seconds);

/// One line of at most `columns` with a bar: "H200 (opencl) [#####...............]  25 %  Latency
/// 0:12, 0:36 left". The bar shrinks first, then the names. With colour the bar's done part is
/// green.
std::string progress_line(const ProgressState& state, std::size_t columns, bool colour);

}  // namespace percycle
