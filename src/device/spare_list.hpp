#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

namespace percycle {

/// A GPU's buffers up to this size are kept for the next one of equal size: the cost of an atomic
/// depends on the address of its word, so all points should use the same address.
inline constexpr std::uint64_t kSmallBuffer = 128 << 10;

/// Buffers kept for reuse after their last owner released them, because drivers take long to
/// allocate and free large ones. `Sized` has bytes().
template <typename Sized>
class SpareList {
 public:
  /// Keeps `buffer`: it is spare while no one else owns it.
  void add(std::shared_ptr<Sized> buffer) { all_.push_back(std::move(buffer)); }

  /// A spare buffer of exactly this size, or null.
  std::shared_ptr<Sized> find(std::uint64_t bytes) const {
    const auto found =
        std::find_if(all_.begin(), all_.end(), [&](const auto& each) { return is_spare(each) && each->bytes() == bytes; });
    return found == all_.end() ? nullptr : *found;
  }

  /// Bytes of all kept buffers, spare or in use.
  std::uint64_t bytes() const {
    return std::accumulate(all_.begin(), all_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const auto& each) { return sum + each->bytes(); });
  }

  /// Frees the spare buffers. Returns how many there were.
  std::size_t drop() { return std::erase_if(all_, is_spare); }

 private:
  static bool is_spare(const std::shared_ptr<Sized>& buffer) { return buffer.use_count() == 1; }

  std::vector<std::shared_ptr<Sized>> all_;
};

}  // namespace percycle
