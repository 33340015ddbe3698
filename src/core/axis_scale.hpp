#pragma once

namespace percycle {

/// The quantity along an axis of a chart.
enum class AxisScale {
  bytes,    ///< sizes in powers of two
  doubled,  ///< numbers in powers of two
  linear,
};

}  // namespace percycle
