#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "platform/process.hpp"

namespace percycle {

/// This binary run again as `percycle worker ARGUMENT...`, which keeps a driver's crash or hang
/// away from the records. Lines go in, events come back. It has its own process group, so that
/// Ctrl-C reaches the parent only. Killed and reaped on destruction.
class Child {
 public:
  /// Starts the child with `environment` added. Throws RunError.
  explicit Child(const std::vector<std::string>& arguments, const Environment& environment = {});

  /// Sends one line. If the child is gone, the next event says so.
  void send(const std::string& line);

  struct Event {
    enum class Occurrence {
      line,  ///< `text` is one line
      /// The child ended or closed its events; `text` has the reason, e.g. "killed by SIGSEGV".
      ended,
      timed_out  ///< nothing came before the deadline
    };
    Occurrence kind = Occurrence::ended;
    std::string text;
    bool interrupted = false;  ///< with timed_out: a signal came before the deadline
  };

  /// The next event, waiting until `deadline` at most; later calls only return buffered ones.
  /// Returns early (timed_out, interrupted) if this process gets a signal.
  Event next(std::chrono::steady_clock::time_point deadline);

  /// Lets it end by itself, as it has no more requests; kills it at the deadline.
  void end(std::chrono::steady_clock::time_point deadline);

  /// Asks it to stop after the current dispatch, see stop_when_asked().
  void ask_to_stop() { process_.ask_to_stop(); }
  void kill() { process_.kill(); }

 private:
  Child(Pipe input, Pipe events, const std::vector<std::string>& arguments, const Environment& environment);

  /// Takes the next marked line of the buffer; false if there is none yet. Drops a driver's output.
  bool take_line(std::string& line);

  File input_;
  File events_;
  Process process_;
  /// Before each event: a word that only the two processes know, so a driver's output is no event.
  std::string mark_;
  std::string buffer_;    ///< read and not yet consumed
  std::size_t seen_ = 0;  ///< bytes of it without a line end
};

/// In a child, before it opens a driver: moves its ends of the pipes to descriptors that no driver
/// uses. stdin is empty then.
void open_channel();

/// In a child: the next line from the parent. False when the parent is gone.
bool read_request(std::string& line);

/// In a child: sends one line to the parent. False when the parent is gone.
bool write_event(std::string_view line);

}  // namespace percycle
