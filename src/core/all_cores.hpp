#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <thread>
#include <vector>

namespace percycle {

/// Calls work(i) for each i below `count`, on all cores and in this order as far as they begin. Throws what one of them throws.
template <typename Work>
void on_all_cores(std::size_t count, const Work& work) {
  std::atomic<std::size_t> next = 0;
  const auto share = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::future<void>> others;  // they end before what they use
  const std::size_t threads = std::clamp<std::size_t>(count, 1, std::max(1u, std::thread::hardware_concurrency()));
  for (std::size_t i = 1; i < threads; ++i) others.push_back(std::async(std::launch::async, share));
  share();
  for (auto& other : others) other.get();
}

}  // namespace percycle
