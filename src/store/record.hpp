#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/measurement.hpp"
#include "device/info.hpp"

namespace percycle {

/// The version of the record format this binary writes; it reads this one and older ones.
inline constexpr int kSchemaVersion = 1;

/// What was asked of a run; two runs with equal options, seed, device and kernels have the same plan.
struct RunOptions {
  std::vector<std::string> experiments;
  std::string preset;
  std::map<std::string, std::string> set;  ///< --set key=value, as given
  std::uint64_t seed = 0;

  bool operator==(const RunOptions&) const = default;
};

/// Where figures were published that percycle did not measure.
struct Publication {
  std::string document;  ///< authors and title
  std::string place;     ///< in it: "table 4.2"
  std::uint32_t year = 0;
  bool prose = false;        ///< its text or a caption states the figures, no table does
  std::string printed_unit;  ///< of the figures, as the document words it
  std::string method;        ///< how they were measured, in a sentence of ours
  std::string toolchain;     ///< API or compiler; empty when the document does not say
};

/// The first line of each run on one device through one API, or of what a document says of one device: then all but `id`, the device's name,
/// vendor and units, `unit_name` (these two where the document says) and `publication` is as it is by default and means nothing.
struct Header {
  /// Whether its numbers come from a model: nobody measured them. The line's `source` says so.
  bool simulated() const { return device.api == Api::sim; }
  /// Whether its numbers are a document's and percycle ran nothing. The line's `source` says so.
  bool published() const { return publication.has_value(); }

  std::string id;       ///< 16 hexadecimal digits, named by every line of this run
  std::string created;  ///< UTC, "2026-11-21T09:30:00Z"
  std::string tool_version;
  std::string tool_commit;  ///< empty when not built from a checkout
  std::string os;
  DeviceInfo device;
  std::string identity;      ///< of the silicon: equal for the same card through both APIs
  std::string architecture;  ///< as recognised; empty when unknown, and of a simulated device, which is no silicon
  std::string unit_name;     ///< the vendor's name of a unit: "SM", "CU", ...
  RunOptions options;
  std::string kernels_hash;  ///< of the embedded kernel sources
  std::optional<Publication> publication;
};

/// Precedes each point, so that a crash can be told from a point never tried.
struct Started {
  std::string header;
  Point point;
};

/// The user's Ctrl-C fell into this point: it is to be measured again on resume.
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
