#pragma once

#include <optional>
#include <span>

namespace percycle {

/// A value at a time.
struct TimedValue {
  double s = 0;
  double value = 0;
};

/// A value that stays, then approaches another one: end + (begin - end) exp(-(t - onset_s) /
/// constant_s).
struct Settling {
  double begin = 0;
  double end = 0;
  double onset_s = 0;
  double constant_s = 0;
};

/// The fit to a series in order of time. Empty if the series does not show this change clearly, or
/// if it ends before the change does.
std::optional<Settling> fit_settling(std::span<const TimedValue> series);

/// The time from which on the series stays within 1 % of the median of its last third. Empty if
/// that is within the last third, or if there are fewer than nine values.
std::optional<double> settled_after(std::span<const TimedValue> series);

}  // namespace percycle
