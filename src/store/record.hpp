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

/// The first line of each run on one device through one API.
struct Header {
  /// Whether its numbers come from a model: nobody measured them. The line's `source` says so.
  bool simulated() const { return device.api == Api::sim; }

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
