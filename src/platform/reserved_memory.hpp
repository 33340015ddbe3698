#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace percycle {

/// Zeroed memory whose pages are allocated at first use, so that more can be reserved than exists.
class ReservedMemory {
 public:
  /// Throws std::bad_alloc if no address space is left.
  explicit ReservedMemory(std::uint64_t bytes);

  std::uint64_t size() const { return begin_.get_deleter().size; }
  std::span<std::byte> bytes() const { return {begin_.get(), size()}; }

 private:
  struct Unmap {
    std::uint64_t size;
    void operator()(std::byte* begin) const;
  };

  std::unique_ptr<std::byte, Unmap> begin_;
};

}  // namespace percycle
