#include "core/device_check.hpp"

namespace percycle {

std::span<const Word<CheckVerdict>> words(CheckVerdict) {
  static constexpr Word<CheckVerdict> kWords[]{
      {CheckVerdict::good, "good"}, {CheckVerdict::doubtful, "doubtful"}, {CheckVerdict::missing, "missing"}};
  return kWords;
}

std::string_view to_string(CheckVerdict verdict) { return word_of(verdict); }

}  // namespace percycle
