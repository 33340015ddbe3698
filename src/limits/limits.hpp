#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/words.hpp"
#include "device/identity.hpp"
#include "device/info.hpp"
#include "limits/limit.hpp"
#include "limits/limit_entry.hpp"

namespace percycle {

/// All entries, those with precedence first.
using LimitsCatalogue = std::vector<LimitEntry>;

/// The figures of the user's own file, if any, then the shipped ones (limits/limits.toml). Throws
/// UsageError "FILE:LINE: ..." for an invalid file, "cannot read FILE: ..." for a missing one.
LimitsCatalogue limits_catalogue(const std::optional<std::filesystem::path>& user_file = std::nullopt);

/// The published limits of one device. Figures without a source are left out: no limit is guessed.
struct DeviceLimits {
  /// The source of the figures: the device's entry (completed by its architecture's), only its
  /// architecture's, or none.
  enum class Match { device, architecture, unknown };

  Match match = Match::unknown;
  std::string device;        ///< name in the catalogue; empty without an entry of the device
  std::string architecture;  ///< as recognised; may be empty
  /// In the order of quantities(), for each quantity and texel size the one with precedence.
  std::vector<Limit> limits;
  std::vector<std::string> notes;  ///< of the entries of these figures

  /// The figure of a quantity, for `texel` with this texel size; null if unknown.
  const Limit* find(Quantity quantity, std::uint32_t texel_bytes = 0) const;
};

/// "device", "architecture", "unknown".
std::string_view to_string(DeviceLimits::Match match);

std::span<const Word<DeviceLimits::Match>> words(DeviceLimits::Match);

/// The limits of a device by its architecture (as recognise() names it; may be empty) and any of
/// its names. Precedence: the user's entries, then built-in ones; in each the device's before its
/// architecture's, and the first in the file.
DeviceLimits find_limits(const LimitsCatalogue& catalogue, std::string_view architecture, const std::vector<std::string>& names);

/// The same for a device as its driver describes it. A simulated device gets only the user's
/// entries for its name, because its model is its truth. A part of a card, or a card with at most
/// half of the catalogue's units, gets no limit of the whole card from the catalogue, and a device
/// through a layer none at all.
DeviceLimits find_limits(const LimitsCatalogue& catalogue, const DeviceInfo& info);

/// The same for a device of a card whose architecture is known.
DeviceLimits find_device_limits(const LimitsCatalogue& catalogue, std::string_view architecture, const DeviceInfo& info);

/// The same for a card, by the properties of all its devices.
DeviceLimits find_limits(const LimitsCatalogue& catalogue, const Card& card);

/// The limits of a device or an architecture by a user's or document's name for it: a name in the
/// catalogue in any case, else one that a device's pattern matches, else one that identifies an
/// architecture. Empty if there is none.
std::optional<DeviceLimits> find_limits_called(const LimitsCatalogue& catalogue, const std::string& name);

/// The same. Throws UsageError with similar names if there is none.
DeviceLimits find_limits_by_name(const LimitsCatalogue& catalogue, const std::string& name);

}  // namespace percycle
