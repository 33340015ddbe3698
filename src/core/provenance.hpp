#pragma once

#include <span>
#include <string_view>

#include "core/words.hpp"

namespace percycle {

/// The source of a clock, a unit count or a size, most trusted first.
enum class Provenance {
  measured_in_kernel,
  telemetry,
  calibrated_chain,
  measured_by_time,  ///< a number of units
  reported,
  catalogue,
  published,
  user,
  unknown,
};

/// The spelling used in records and tables, e.g. "measured-in-kernel".
std::string_view to_string(Provenance provenance);

std::span<const Word<Provenance>> words(Provenance);

/// A value with its source.
template <typename T>
struct Sourced {
  T value{};
  Provenance provenance = Provenance::unknown;

  bool operator==(const Sourced&) const = default;
};

}  // namespace percycle
