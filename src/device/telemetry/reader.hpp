#pragma once

#include <memory>
#include <string>

#include "core/telemetry.hpp"

namespace percycle::telemetry {

/// One source of telemetry, opened for one device. Used by one thread at a time.
class Reader {
 public:
  virtual ~Reader() = default;
  /// What it tells now; what fails is absent.
  virtual TelemetryReading read() = 0;
  /// What else of the device's state bears on what was measured since the last call.
  virtual Conditions conditions() { return {}; }

 protected:
  Reader() = default;
  Reader(const Reader&) = default;
  Reader& operator=(const Reader&) = default;
};

/// A reader, or in one line why there is none.
struct Found {
  std::unique_ptr<Reader> reader;
  std::string source;  ///< what is read, as records name it
  std::string reason;  ///< empty where there is a reader
};

}  // namespace percycle::telemetry
