#include "core/provenance.hpp"

#include <array>
#include <utility>

namespace percycle {
namespace {

constexpr std::array<std::pair<Provenance, std::string_view>, 8> kProvenanceNames{{
    {Provenance::measured_in_kernel, "measured-in-kernel"},
    {Provenance::telemetry, "telemetry"},
    {Provenance::calibrated_chain, "calibrated-chain"},
    {Provenance::reported, "reported"},
    {Provenance::catalogue, "catalogue"},
    {Provenance::published, "published"},
    {Provenance::user, "user"},
    {Provenance::unknown, "unknown"},
}};

}  // namespace

std::string_view to_string(Provenance provenance) {
  for (const auto& [value, name] : kProvenanceNames) {
    if (value == provenance) return name;
  }
  return "unknown";
}

std::optional<Provenance> parse_provenance(std::string_view text) {
  for (const auto& [value, name] : kProvenanceNames) {
    if (name == text) return value;
  }
  return std::nullopt;
}

}  // namespace percycle
