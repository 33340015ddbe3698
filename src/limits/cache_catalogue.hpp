#pragma once

#include <cstdint>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace percycle {

/// What is published of one cache, or of the local memory, of one unit or device.
struct CacheFact {
  std::string what;                   ///< the vendor's name: "L1", "L0", "Infinity Cache", "local memory"
  std::vector<std::string> paths;     ///< whose loads it serves: "global", "texture", "constant", "scalar", "local"
  std::vector<std::uint64_t> sizes;   ///< bytes, ascending: each configuration that there is
  std::optional<std::uint64_t> line;  ///< bytes
  std::string source;                 ///< document and section
  std::string quoted;                 ///< what the source says
};

/// A fact and the devices it holds for.
struct CacheRule {
  std::vector<std::string> architectures;  ///< names as in limits/architectures.toml
  std::optional<std::regex> device;        ///< found in the device's name; absent: all of the architectures
  CacheFact fact;
};

/// Reads the text of a caches.toml; its head says what it holds. Throws UsageError "FILE_NAME:LINE: ..." naming what does not belong.
std::vector<CacheRule> parse_cache_rules(std::string_view text, std::string_view file_name);

/// What limits/caches.toml says of a device, in its order: of each path, what is nearest to the unit first. Empty when nothing is known.
std::vector<CacheFact> cache_facts(std::string_view architecture, std::string_view device_name);

}  // namespace percycle
