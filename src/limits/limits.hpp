#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/identity.hpp"
#include "device/info.hpp"
#include "limits/limit.hpp"
#include "limits/limit_entry.hpp"

namespace percycle {

/// All entries there are, those that go before others first.
using LimitsCatalogue = std::vector<LimitEntry>;

/// What comes with percycle (limits/limits.toml), behind the entries of the user's own file of the same format where there is one.
/// Throws UsageError "FILE:LINE: ..." for what does not belong into that file, "cannot read FILE: ..." where there is none.
LimitsCatalogue limits_catalogue(const std::optional<std::filesystem::path>& user_file = std::nullopt);

/// What is published of one device. What nobody could cite is not there: a limit is never guessed.
struct DeviceLimits {
  /// Whose figures were found: the device's own (its architecture's where it has none), only its architecture's, or none.
  enum class Match { device, architecture, unknown };

  Match match = Match::unknown;
  std::string device;              ///< the catalogue's name of it; empty unless an entry of the device was found
  std::string architecture;        ///< as recognised; empty where it is not
  std::vector<Limit> limits;       ///< in the order of quantities(); of each quantity and size of texel what goes first
  std::vector<std::string> notes;  ///< of the entries that a figure was taken from

  /// The figure of a quantity, of `texel` for texels of this size; null where it is not known.
  const Limit* find(Quantity quantity, std::uint32_t texel_bytes = 0) const;
};

/// "device", "architecture", "unknown".
std::string_view to_string(DeviceLimits::Match match);

/// The limits of a device known by its architecture (as recognise() names it, empty where it does not) and any of its names. Goes
/// before others: the user's entries, among those and among the built-in ones the device's before its architecture's, of devices
/// the first in the file.
DeviceLimits find_limits(const LimitsCatalogue& catalogue, std::string_view architecture, const std::vector<std::string>& names);

/// The same of a device as its driver describes it. Of a simulated device, whose truth is its model, there is only what the
/// user says of one of its name.
DeviceLimits find_limits(const LimitsCatalogue& catalogue, const DeviceInfo& info);

/// The same of a card, by what all its devices tell.
DeviceLimits find_limits(const LimitsCatalogue& catalogue, const Card& card);

/// The limits of what a user or a document calls a device or an architecture: a name in the catalogue in any case, else one that a device's pattern
/// is found in, else one that an architecture is recognised by. Empty where there is no such.
std::optional<DeviceLimits> find_limits_called(const LimitsCatalogue& catalogue, const std::string& name);

/// The same. Throws UsageError naming what comes close where there is no such.
DeviceLimits find_limits_by_name(const LimitsCatalogue& catalogue, const std::string& name);

}  // namespace percycle
