#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace percycle {

/// How a planned point ended. Everything but `ok` carries a reason.
enum class Status { ok, unsupported, skipped, failed, invalid };

/// "ok", "unsupported", "skipped", "failed" or "invalid".
std::string_view to_string(Status status);

/// The inverse of to_string; empty when the text names no status.
std::optional<Status> parse_status(std::string_view text);

struct Outcome {
  Status status = Status::ok;
  std::string reason;  ///< empty exactly when status is ok

  bool operator==(const Outcome&) const = default;
};

}  // namespace percycle
