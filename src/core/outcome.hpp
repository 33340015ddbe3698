#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/words.hpp"

namespace percycle {

/// The way a planned point ended. Each status but `ok` has a reason.
enum class Status { ok, unsupported, skipped, failed, invalid };

/// "ok", "unsupported", "skipped", "failed" or "invalid".
std::string_view to_string(Status status);

std::span<const Word<Status>> words(Status);

struct Outcome {
  Status status = Status::ok;
  std::string reason;  ///< empty exactly when status is ok

  bool operator==(const Outcome&) const = default;
};

}  // namespace percycle
