#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "platform/process.hpp"

namespace percycle {

/// This binary run again as `percycle worker ARGUMENT...`: what keeps a driver's crash or hang away from the records. Lines go in, events
/// come back line by line, each marked by a word that only the two ends know: what a driver writes to a descriptor is no event. In a process group of its own, so that Ctrl-C reaches the parent only. Killed and reaped
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
      ended,     ///< the child ended, or closed its events; `text` says how it ended, e.g. "killed by SIGSEGV"
      timed_out  ///< nothing came until the deadline
    };
    Kind kind = Kind::ended;
    std::string text;
    bool interrupted = false;  ///< with timed_out: a signal came before the deadline
  };

  /// The next event, waiting until `deadline` at most; after it, what has come by then. Comes back early (timed_out, interrupted) when this process got a signal.
  Event next(std::chrono::steady_clock::time_point deadline);

  /// Asks it to stop after the dispatch under way, see stop_when_asked().
  void ask_to_stop() { process_.ask_to_stop(); }
  void kill() { process_.kill(); }

 private:
  Child(Pipe input, Pipe events, const std::vector<std::string>& arguments, const Environment& environment);

  /// The next marked line of what was read; false where there is none yet. Drops what a driver wrote.
  bool take_line(std::string& line);

  File input_;
  File events_;
  Process process_;
  std::string mark_;      ///< before each event
  std::string buffer_;    ///< read and not yet taken
  std::size_t seen_ = 0;  ///< bytes of it that hold no end of a line
};

/// In a child, before it opens a driver: moves its two ends of the pipes to descriptors that no driver expects. stdin is empty then.
void open_channel();

/// In a child: the next line from the parent. False when the parent is gone.
bool read_request(std::string& line);

/// In a child: sends one line to the parent. False when the parent is gone.
bool write_event(std::string_view line);

}  // namespace percycle
