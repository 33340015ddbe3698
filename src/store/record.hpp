#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/device_check.hpp"
#include "core/measurement.hpp"
#include "core/printable.hpp"
#include "core/source.hpp"
#include "device/info.hpp"

namespace percycle {

/// The version of the record format that this binary writes. It reads this one and older ones.
inline constexpr int kSchemaVersion = 1;

/// The options of a run. Two runs with equal options, seed, device and kernels have the same plan.
struct RunOptions {
  std::vector<std::string> experiments;
  std::string preset;
  std::map<std::string, std::string> set;  ///< --set key=value, as given
  std::uint64_t seed = 0;

  bool operator==(const RunOptions&) const = default;
};

/// The source of figures that percycle did not measure.
struct Publication {
  std::string document;  ///< authors and title
  std::string place;     ///< within the document: "table 4.2"
  std::uint32_t year = 0;
  bool prose = false;        ///< the text or a caption gives the figures, not a table
  std::string printed_unit;  ///< unit of the figures, in the document's words
  std::string method;        ///< the measurement in a sentence of ours
  std::string toolchain;     ///< API or compiler; empty if the document names none
};

/// The first line of each run on one device through one API, or of one document's figures for a
/// device. A document's line sets only `id`, the device's name and vendor, `publication` and, if
/// given, the units and `unit_name`; other members keep their defaults.
struct Header {
  /// Whether the numbers come from a model and were not measured. The line's `source` says so.
  bool simulated() const { return device.api == Api::sim; }
  /// Whether the numbers come from a document and percycle ran nothing. The line's `source` says
  /// so.
  bool published() const { return publication.has_value(); }
  /// Where the numbers come from.
  Source source() const { return published() ? Source::published : simulated() ? Source::simulated : Source::measured; }

  /// The vendor's name of a unit for people; "unit" if there is none.
  std::string shown_unit() const { return unit_name.empty() ? "unit" : printable(unit_name, 60); }

  std::string id;       ///< 16 hexadecimal digits; every line of this run has it
  std::string created;  ///< UTC, "2026-11-21T09:30:00Z"
  std::string tool_version;
  std::string tool_commit;  ///< empty if not built from a checkout
  std::string os;
  DeviceInfo device;
  std::string identity;  ///< of the silicon: equal for the same card through both APIs
  /// As recognised; empty if unknown and for a simulated device, which has no silicon.
  std::string architecture;
  std::string unit_name;  ///< the vendor's name of a unit: "SM", "CU", ...
  /// The driver's count, if the device has another one by measurement: units of `device`.
  std::optional<std::uint32_t> reported_units;
  /// The card's units by percycle's catalogue, if it has the card.
  std::optional<std::uint32_t> catalogue_units;
  /// The checks before the first point, and those of the latest `doctor` of this machine.
  std::vector<DeviceCheck> checks;
  RunOptions options;
  std::string kernels_hash;  ///< of the embedded kernel sources
  std::optional<Publication> publication;
};

/// Precedes each point, so that a point that crashed differs from a point that was never tried.
struct Started {
  std::string header;
  Point point;
};

/// The user's Ctrl-C interrupted this point: --resume measures it again.
struct Interrupted {
  std::string header;
  Point point;
};

struct PointRecord {
  std::string header;
  PointResult result;
};

/// A line that names a header above it.
using Entry = std::variant<Started, Interrupted, PointRecord>;

/// One line of a record file.
using Record = std::variant<Header, Started, Interrupted, PointRecord>;

}  // namespace percycle
