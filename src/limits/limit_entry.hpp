#pragma once

#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "core/provenance.hpp"
#include "limits/limit.hpp"

namespace percycle {

/// One entry of a limits file, for a device or for architectures.
struct LimitEntry {
  std::string name;  ///< device name, or all names of the architectures
  /// As in limits/architectures.toml, or "CPU". A device has at most one; without one it may have
  /// any.
  std::vector<std::string> architectures;
  /// Matches the names of its devices; empty: an entry of architectures.
  std::optional<std::regex> device;
  std::string note;           ///< holds for all its figures; may be empty
  std::vector<Limit> limits;  ///< in the order of quantities()
};

/// Reads the text of a limits file; the head of limits/limits.toml describes the format. Its
/// figures get this provenance. Throws UsageError "FILE_NAME:LINE: ..." for an invalid entry, e.g.
/// a figure without source or quote.
std::vector<LimitEntry> parse_limit_entries(std::string_view text, std::string_view file_name, Provenance provenance);

}  // namespace percycle
