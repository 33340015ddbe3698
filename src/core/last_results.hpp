#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <future>
#include <mutex>
#include <utility>

namespace percycle {

/// The last results of a function that takes long, for all threads: what one has made or is making, no other makes again.
template <typename Key, typename Result>
class LastResults {
 public:
  explicit LastResults(std::size_t most) : most_(most) {}

  /// What `make` returns for this key, or throws (that stays its result, too); waits for it where another thread makes it. `make` may not ask for the same key.
  template <typename Make>
  Result get(const Key& key, Make make) {
    std::packaged_task<Result()> task(std::move(make));
    std::unique_lock lock(mutex_);
    const auto found = std::find_if(results_.begin(), results_.end(), [&](const auto& one) { return one.first == key; });
    const bool is_new = found == results_.end();
    const std::shared_future<Result> result = is_new ? task.get_future().share() : found->second;
    if (is_new) {
      results_.emplace_front(key, result);
      if (results_.size() > most_) results_.pop_back();
    }
    lock.unlock();
    if (is_new) task();
    return result.get();
  }

 private:
  std::size_t most_;
  std::mutex mutex_;
  std::deque<std::pair<Key, std::shared_future<Result>>> results_;  ///< the newest first
};

}  // namespace percycle
