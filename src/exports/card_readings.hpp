#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "exports/export_card.hpp"
#include "report/key_figures.hpp"

namespace percycle {

/// A cache level of a card and the device whose points show it.
struct LevelReading {
  const HierarchyLevel* level = nullptr;
  const ReportDevice* device = nullptr;

  CardNumber size() const;
  CardNumber line() const;  ///< only if it is known
  CardNumber ways() const;  ///< likewise
  CardNumber sets() const;  ///< likewise
  /// In cycles, if a core clock is known.
  std::optional<CardNumber> latency() const;
};

/// The numbers of a card, each from the first of its devices that has it.
class CardReadings {
 public:
  /// `card` must outlive this object. Devices of documents are left out.
  explicit CardReadings(const KeyColumn& card);

  bool empty() const { return devices_.empty(); }
  const std::vector<const ReportDevice*>& devices() const { return devices_; }

  std::optional<CardNumber> units() const;
  std::optional<CardNumber> subgroup_size() const;
  std::optional<CardNumber> local_memory_of_group() const;
  std::optional<CardNumber> schedulers() const;

  /// A count of what a unit holds at once.
  std::optional<CardNumber> resident(const char* words,
                                     const std::function<std::optional<std::uint64_t>(const Residency&)>& of) const;

  /// The level of that name, or its near part; of the main path, or of the path that is named.
  std::optional<LevelReading> level(std::string_view name, std::string_view path = {}) const;
  std::optional<CardNumber> memory_latency() const;  ///< in cycles
  std::optional<CardNumber> local_latency() const;   ///< in cycles

  /// A figure that an experiment declares for exports.
  std::optional<CardNumber> exported(std::string_view key, std::string_view figure_name) const;

 private:
  std::vector<const ReportDevice*> devices_;
};

}  // namespace percycle
