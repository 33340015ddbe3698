#pragma once

#include <stdexcept>

namespace percycle {

/// Bad usage or bad input: reported as one line on stderr, exit status 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A failure during a run (disk full, worker gone): one line on stderr, exit status 1.
struct RunError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace percycle
