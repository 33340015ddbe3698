#include "core/outcome.hpp"

namespace percycle {

std::span<const Word<Status>> words(Status) {
  static constexpr Word<Status> kWords[]{{Status::ok, "ok"},
                                         {Status::unsupported, "unsupported"},
                                         {Status::skipped, "skipped"},
                                         {Status::failed, "failed"},
                                         {Status::invalid, "invalid"}};
  return kWords;
}

std::string_view to_string(Status status) { return word_of(status); }

}  // namespace percycle
