#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "platform/process.hpp"

namespace percycle {

/// This binary run again as `percycle worker ARGUMENT...`: what keeps a driver's crash or hang away from the records. Lines go to its
/// stdin, its events come back line by line. In a process group of its own, so that Ctrl-C reaches the parent only. Killed and reaped
/// on destruction.
class Child {
 public:
  /// Starts it with `environment` on top of ours. Throws RunError.
  explicit Child(const std::vector<std::string>& arguments, const Environment& environment = {});

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

  /// Asks it to stop after the dispatch under way, see stop_when_asked().
  void ask_to_stop() { process_.ask_to_stop(); }
  void kill() { process_.kill(); }

 private:
  Child(Pipe input, Pipe events, const std::vector<std::string>& arguments, const Environment& environment);

  File input_;
  File events_;
  Process process_;
  std::string buffer_;
};

/// In a child: writes to the parent. False when the parent is gone.
bool write_event(std::string_view bytes);

}  // namespace percycle
