#pragma once

#include <cstdint>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "core/api.hpp"
#include "limits/architecture.hpp"

namespace percycle {

/// One way to recognise an architecture; see the head of limits/architectures.toml.
struct RecognitionRule {
  enum class Evidence { capability, name, shared_capability };

  Evidence kind = Evidence::name;
  std::regex pattern;
  Architecture architecture;
};

/// A driver that counts, or may count, something else than units.
struct CountRule {
  std::string vendor;
  std::regex architecture;
  Api api = Api::opencl;
  std::optional<std::regex> platform;
  std::string counts;
  std::uint32_t per_unit = 1;
  std::string unless;
};

struct ArchitectureRules {
  std::vector<RecognitionRule> recognition;  ///< in file order
  std::vector<CountRule> counts;             ///< in file order
};

/// Reads the text of an architectures.toml. Throws UsageError "FILE_NAME:LINE: ..." naming an
/// invalid key or value.
ArchitectureRules parse_architecture_rules(std::string_view text, std::string_view file_name);

}  // namespace percycle
