#include "sim/page_frames.hpp"

namespace percycle::sim {

PageFrames::PageFrames(const PagePlacement& pages, std::uint64_t memory_bytes)
    : page_bytes_(pages.page_bytes), count_(memory_bytes / pages.page_bytes), frames_(count_, ChainOrder::random, pages.seed) {}

std::uint64_t PageFrames::physical(std::uint64_t address) const {
  return std::uint64_t{frames_.place(address / page_bytes_ % count_)} * page_bytes_ + address % page_bytes_;
}

}  // namespace percycle::sim
