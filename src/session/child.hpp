#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace percycle {

/// The descriptor on which a worker writes its events; stdout and stderr are left to drivers, which print on both.
inline constexpr int kEventDescriptor = 3;

/// This binary run again as `percycle worker ARGUMENT...`: what keeps a driver's crash or hang away from the records. Lines go to its
/// stdin, its events come back line by line. In a process group of its own, so that Ctrl-C reaches the parent only. Killed and reaped
/// on destruction.
class Child {
 public:
  using Environment = std::vector<std::pair<std::string, std::string>>;

  /// Starts it with `environment` on top of ours. Throws RunError.
  explicit Child(const std::vector<std::string>& arguments, const Environment& environment = {});
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();

  /// Sends one line; a child that is gone shows at the next event.
  void send(const std::string& line);

  struct Event {
    enum class Kind {
      line,      ///< `text` is one line
      ended,     ///< the child closed its events; `text` says how it ended, e.g. "killed by SIGSEGV"
      timed_out  ///< nothing came until the deadline
    };
    Kind kind = Kind::ended;
    std::string text;
    bool interrupted = false;  ///< with timed_out: a signal came before the deadline
  };

  /// The next event, waiting until `deadline` at most; comes back early (timed_out, interrupted) when this process got a signal.
  Event next(std::chrono::steady_clock::time_point deadline);

  /// Asks it to stop after the dispatch under way (SIGTERM).
  void ask_to_stop();
  void kill();

 private:
  std::string reap();

  pid_t pid_ = -1;
  int input_ = -1;
  int events_ = -1;
  std::string buffer_;
};

}  // namespace percycle
