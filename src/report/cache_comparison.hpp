#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/hierarchy.hpp"
#include "core/words.hpp"
#include "limits/cache_catalogue.hpp"
#include "store/record.hpp"

namespace percycle {

enum class Verdict { agrees, differs, not_comparable };

/// "agrees", "differs", "not comparable".
std::string_view to_string(Verdict verdict);

std::span<const Word<Verdict>> words(Verdict);

/// A size or a line as measured, as reported by the driver, and as in the catalogue. A missing
/// value is empty.
struct CacheComparison {
  /// Name of the measured cache, the catalogue's for one not found, "driver's cache size", ...
  std::string subject;
  std::optional<std::uint64_t> measured_bytes;
  /// As text; several sizes if none of them is meant.
  std::optional<std::string> measured;
  std::optional<std::string> driver;     ///< as text
  std::optional<std::string> catalogue;  ///< as text, with the vendor's name
  std::optional<std::string> source;     ///< document, section and quote of the catalogue's entry
  Verdict verdict = Verdict::not_comparable;
  /// One short sentence: the difference, or why there is no comparison; may be empty.
  std::string note;

  bool operator==(const CacheComparison&) const = default;
};

/// Pure. First the measured caches, each once, against the facts; then facts without a measured
/// cache; then the driver's cache size, cache line and local memory. Sizes agree within 12 %, the
/// accuracy of a knee on real silicon. A mere bound agrees with any smaller plausible size.
std::vector<CacheComparison> compare_caches(const Hierarchy& hierarchy, const Header& header, std::span<const CacheFact> facts);

/// The same against limits/caches.toml, which has no entries for simulated devices.
std::vector<CacheComparison> compare_caches(const Hierarchy& hierarchy, const Header& header);

}  // namespace percycle
