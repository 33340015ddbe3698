#include "core/outcome.hpp"

#include <array>
#include <utility>

namespace percycle {
namespace {

constexpr std::array<std::pair<Status, std::string_view>, 5> kNames{{
    {Status::ok, "ok"},
    {Status::unsupported, "unsupported"},
    {Status::skipped, "skipped"},
    {Status::failed, "failed"},
    {Status::invalid, "invalid"},
}};

}  // namespace

std::string_view to_string(Status status) {
  for (const auto& [value, name] : kNames) {
    if (value == status) return name;
  }
  return "failed";
}

std::optional<Status> parse_status(std::string_view text) {
  for (const auto& [value, name] : kNames) {
    if (name == text) return value;
  }
  return std::nullopt;
}

}  // namespace percycle
