#include "sim/recent_walks.hpp"

#include <algorithm>

namespace percycle::sim {
namespace {

// Earlier walks are taken to be evicted.
constexpr std::size_t kMostWalks = 16;
// Walks of up to this many loads are replayed completely; longer walks for this many laps, which
// settle all policies but random replacement, and nearly settle that.
constexpr std::uint64_t kAllOf = 16384;
constexpr std::uint64_t kLaps = 4;
constexpr std::uint64_t kMostLoads = 131072;  // 10 ms

std::uint64_t made_up_for(std::uint64_t steps, std::uint64_t nodes) {
  return std::min(steps, std::clamp(kLaps * nodes, kAllOf, kMostLoads));
}

/// Whether `next` continues from the end of `last`.
bool continues(const std::vector<RecentWalks::WalkEnd>& last, const std::vector<RecentWalks::WalkEnd>& next,
               const std::vector<PlacedWalk>& walks) {
  for (std::size_t i = 0; i < walks.size(); ++i) {
    if ((next[i].end - next[i].steps - last[i].end) % walks[i].image.chain.nodes() != 0) return false;
  }
  return true;
}

}  // namespace

void RecentWalks::add(const std::vector<PlacedWalk>& walks, const std::vector<WalkEnd>& stretches) {
  if (!recent_.empty() && recent_.back().walks == walks && continues(recent_.back().stretches, stretches, walks)) {
    for (std::size_t i = 0; i < walks.size(); ++i) {
      WalkEnd& last = recent_.back().stretches[i];
      last = {stretches[i].end, last.steps + stretches[i].steps};
    }
    return;
  }
  recent_.push_back({walks, stretches});
  if (recent_.size() > kMostWalks) recent_.pop_front();
}

void RecentWalks::catch_up(CacheContents& caches) {
  for (const auto& [walks, stretches] : recent_) {
    std::uint64_t longest = 0;
    std::vector<std::uint64_t> loads;
    for (std::size_t i = 0; i < walks.size(); ++i) {
      loads.push_back(made_up_for(stretches[i].steps, walks[i].image.chain.nodes()));
      longest = std::max(longest, loads.back());
    }
    for (std::uint64_t step = 0; step < longest; ++step) {
      for (std::size_t i = 0; i < walks.size(); ++i) {
        if (step >= loads[i]) continue;
        const std::uint64_t position = stretches[i].end - loads[i] + step;
        caches.load(walks[i].actor, path_taken(model_, walks[i].path), walks[i].address(position), walks[i].link_bytes());
      }
    }
  }
  recent_.clear();
}

}  // namespace percycle::sim
