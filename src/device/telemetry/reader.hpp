#pragma once

#include <memory>
#include <string>

#include "core/telemetry.hpp"

namespace percycle::telemetry {

/// One source of telemetry, opened for one device. Used by one thread at a time.
class Reader {
 public:
  virtual ~Reader() = default;
  /// The current values; those that fail are empty.
  virtual TelemetryReading read() = 0;
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
