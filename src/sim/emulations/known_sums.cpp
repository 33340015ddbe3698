#include "sim/emulations/known_sums.hpp"

namespace percycle::sim {
namespace {

struct KnownSums {
  std::uint64_t version = 0;
  std::string key;
  std::vector<std::uint32_t> sums;
};

}  // namespace

std::vector<std::uint32_t> known_sums(const BoundMemory& memory, const std::string& key,
                                      const std::function<std::vector<std::uint32_t>()>& sums) {
  static thread_local KnownSums known;
  const std::uint64_t version = memory.version();
  if (version == 0) return sums();
  if (known.version != version || known.key != key) known = {version, key, sums()};
  return known.sums;
}

}  // namespace percycle::sim
