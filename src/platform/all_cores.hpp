#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <mutex>
#include <utility>
#include <vector>

namespace percycle {

/// The number of worker threads: the cores that this process may use, at most eight because each
/// takes memory.
std::size_t useful_threads();

/// Calls work(i) for each i below `count` on useful_threads() threads, starting in order. Rethrows
/// an exception of one.
template <typename Work>
void on_all_cores(std::size_t count, const Work& work) {
  std::atomic<std::size_t> next = 0;
  const auto share = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;  // the others need not go on
      throw;
    }
  };
  std::vector<std::future<void>> others;  // they end before the objects they use
  const std::size_t threads = std::clamp<std::size_t>(count, 1, useful_threads());
  for (std::size_t i = 1; i < threads; ++i) others.push_back(std::async(std::launch::async, share));
  share();
  for (auto& other : others) other.get();
}

/// The result of find(i) for the lowest i below `count` that has one (e.g. a std::optional with a
/// value); else an empty one. Calls find(i) on useful_threads() threads.
template <typename Find>
auto first_on_all_cores(std::size_t count, const Find& find) {
  decltype(find(count)) first{};
  std::size_t at = count;
  std::mutex guard;
  on_all_cores(count, [&](std::size_t i) {
    auto found = find(i);
    if (!found) return;
    const std::scoped_lock lock(guard);
    if (i > at) return;
    at = i;
    first = std::move(found);
  });
  return first;
}

}  // namespace percycle
