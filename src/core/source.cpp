#include "core/source.hpp"

namespace percycle {

std::span<const Word<Source>> words(Source) {
  static constexpr Word<Source> kWords[]{
      {Source::measured, "measured"}, {Source::simulated, "simulated"}, {Source::published, "published"}};
  return kWords;
}

std::string_view to_string(Source source) { return word_of(source); }

}  // namespace percycle
