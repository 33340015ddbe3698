#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "toml/strict_table.hpp"

namespace percycle::sim {

/// A hardware figure in a model file, e.g. "L2.size_bytes", and its line.
struct ModelFigure {
  std::string key;
  std::uint32_t line = 0;
};

/// Throws UsageError "FILE:LINE: MESSAGE" unless each figure is either cited in the table `sources`
/// or named in the list `assumed` ("*": all others), and for a citation or assumption of an unknown
/// figure.
void check_sources(const StrictTable& file, const std::vector<ModelFigure>& figures);

}  // namespace percycle::sim
