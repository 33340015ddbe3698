#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "toml/strict_table.hpp"

namespace percycle::sim {

/// A figure of the hardware that a model file states, e.g. "L2.size_bytes", and the line that states it.
struct Figure {
  std::string key;
  std::uint32_t line = 0;
};

/// Refuses a model file whose figures are not each either cited in its table `sources` or named in its list `assumed` ("*": all others), and
/// any citation or assumption of what is no figure of it. Throws UsageError "FILE:LINE: what".
void check_sources(const StrictTable& file, const std::vector<Figure>& figures);

}  // namespace percycle::sim
