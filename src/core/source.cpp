#include "core/source.hpp"

namespace percycle {

std::string_view to_string(Source source) {
  switch (source) {
    case Source::measured:
      return "measured";
    case Source::simulated:
      return "simulated";
    case Source::published:
      break;
  }
  return "published";
}

}  // namespace percycle
