#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/hierarchy.hpp"
#include "limits/cache_catalogue.hpp"
#include "store/record.hpp"

namespace percycle {

enum class Verdict { agrees, differs, not_comparable };

/// "agrees", "differs", "not comparable".
std::string_view to_string(Verdict verdict);

/// A size or a line as measured, as the driver reports it, and as the catalogue has it. What one of them does not say is absent.
struct CacheComparison {
  std::string subject;  ///< the measured cache's name, the catalogue's of one not found, "driver's cache size", ...
  std::optional<std::uint64_t> measured_bytes;
  std::optional<std::string> measured;   ///< the same as text; more than one size where none of them is meant
  std::optional<std::string> driver;     ///< as text
  std::optional<std::string> catalogue;  ///< as text, under the name that the vendor gives it
  std::optional<std::string> source;     ///< the catalogue's: document, section, and what stands there
  Verdict verdict = Verdict::not_comparable;
  std::string note;  ///< one short sentence: where they disagree, or why they cannot; empty where there is nothing to say

  bool operator==(const CacheComparison&) const = default;
};

/// Pure. First the measured caches, each once though several paths show it, against the facts; then the facts that no measured cache fits;
/// then what the driver reports: its cache size, its cache line, its local memory. Two sizes agree within 12 %, which is how close a
/// knee tells a size on real silicon; what the catalogue only bounds agrees with any size below that the same cache may have.
std::vector<CacheComparison> compare_caches(const Hierarchy& hierarchy, const Header& header, std::span<const CacheFact> facts);

/// The same against limits/caches.toml, which says nothing of simulated devices: they are no silicon.
std::vector<CacheComparison> compare_caches(const Hierarchy& hierarchy, const Header& header);

}  // namespace percycle
