#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/telemetry.hpp"

namespace percycle::telemetry {

/// One source of telemetry, opened for one device. Used by one thread at a time.
class Reader {
 public:
  virtual ~Reader() = default;
  /// The current values but the energy; those that fail are empty.
  virtual TelemetryReading read() = 0;
  /// The card's counter of energy, from any origin; empty if there is none.
  virtual std::optional<double> energy_j() { return std::nullopt; }
  /// Other device states since the last call that affect a measurement.
  virtual Conditions conditions() { return {}; }

 protected:
  Reader() = default;
  Reader(const Reader&) = default;
  Reader& operator=(const Reader&) = default;
};

/// A reader, or a line with the reason why there is none.
struct FoundReader {
  std::unique_ptr<Reader> reader;
  std::string source;  ///< name of the source in records
  std::string reason;  ///< empty if there is a reader
};

}  // namespace percycle::telemetry
