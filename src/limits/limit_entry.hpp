#pragma once

#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "core/provenance.hpp"
#include "limits/limit.hpp"

namespace percycle {

/// What one entry of a limits file says, of a device or of architectures.
struct LimitEntry {
  std::string name;                        ///< of the device; of architectures all their names
  std::vector<std::string> architectures;  ///< as in limits/architectures.toml, or "CPU"; of a device at most one, none: of any
  std::optional<std::regex> device;        ///< found in the names of the devices it holds for; absent: an entry of architectures
  std::string note;                        ///< what holds for all its figures; empty where there is nothing to say
  std::vector<Limit> limits;               ///< in the order of quantities()
};

/// Reads the text of a limits file; the head of limits/limits.toml says what it holds. Its figures get this provenance. Throws
/// UsageError "FILE_NAME:LINE: ..." naming what does not belong: above all, a figure without its source or without what that says.
std::vector<LimitEntry> parse_limit_entries(std::string_view text, std::string_view file_name, Provenance provenance);

}  // namespace percycle
