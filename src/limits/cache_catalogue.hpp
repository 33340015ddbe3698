#pragma once

#include <cstdint>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace percycle {

/// The published facts of one cache, or of the local memory, of a unit or device.
struct CacheFact {
  std::string name;  ///< vendor's name: "L1", "L0", "Infinity Cache", "local memory"
  /// Paths it serves: "global", "texture", "constant", "scalar", "local".
  std::vector<std::string> paths;
  std::vector<std::uint64_t> sizes;   ///< bytes, ascending: all configurations
  std::optional<std::uint64_t> line;  ///< bytes
  std::string source;                 ///< document and section
  std::string quoted;                 ///< text of the source
};

/// A fact and the devices it holds for.
struct CacheRule {
  std::vector<std::string> architectures;  ///< names as in limits/architectures.toml
  /// Matches the device's name; empty: all devices of the architectures.
  std::optional<std::regex> device;
  CacheFact fact;
};

/// Reads the text of a caches.toml, whose head describes the format. Throws UsageError
/// "FILE_NAME:LINE: ..." naming an invalid entry.
std::vector<CacheRule> parse_cache_rules(std::string_view text, std::string_view file_name);

/// The facts of a device in limits/caches.toml, in its order: on each path the nearest to the unit
/// first. Empty if none are known.
std::vector<CacheFact> cache_facts(std::string_view architecture, std::string_view device_name);

}  // namespace percycle
