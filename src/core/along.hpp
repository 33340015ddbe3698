#pragma once

namespace percycle {

/// What is along an axis of a chart.
enum class Along {
  bytes,    ///< in powers of two
  doubled,  ///< numbers in powers of two
  linear,
};

}  // namespace percycle
