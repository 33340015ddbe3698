#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

namespace percycle {

/// A GPU's buffers of so many bytes or less wait for the next one of their size: what an atomic takes depends on where its word lies, and all points
/// shall have it in the same place.
inline constexpr std::uint64_t kSmallBuffer = 128 << 10;

/// Buffers that wait for the next use when nobody else holds them any more: drivers take long to allocate and free large ones.
/// `Sized` has bytes().
template <typename Sized>
class SpareList {
 public:
  /// From now on `buffer` is spare whenever nobody else holds it.
  void add(std::shared_ptr<Sized> buffer) { all_.push_back(std::move(buffer)); }

  /// A spare one of just this size; null: there is none.
  std::shared_ptr<Sized> find(std::uint64_t bytes) const {
    const auto found =
        std::find_if(all_.begin(), all_.end(), [&](const auto& each) { return is_spare(each) && each->bytes() == bytes; });
    return found == all_.end() ? nullptr : *found;
  }

  /// Bytes of all that were added and not dropped, spare or not.
  std::uint64_t bytes() const {
    return std::accumulate(all_.begin(), all_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const auto& each) { return sum + each->bytes(); });
  }

  /// Lets the spare ones go; how many those were.
  std::size_t drop() { return std::erase_if(all_, is_spare); }

 private:
  static bool is_spare(const std::shared_ptr<Sized>& buffer) { return buffer.use_count() == 1; }

  std::vector<std::shared_ptr<Sized>> all_;
};

}  // namespace percycle
