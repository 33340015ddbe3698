#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/file.hpp"

namespace percycle {

/// Variables by name, for a started program in place of ours.
using Environment = std::vector<std::pair<std::string, std::string>>;

/// A program to start, without a shell.
struct Launch {
  std::filesystem::path program;
  std::string name;  ///< its argv[0]
  std::vector<std::string> arguments{};
  Environment environment{};
  const File* input = nullptr;   ///< its stdin; ours if null
  const File* output = nullptr;  ///< its stdout; our stderr if null
  const File* errors = nullptr;  ///< its stderr; ours if null
  /// Target of write_event() in a child that runs this binary, see platform/child.hpp.
  const File* events = nullptr;
  bool own_group = false;  ///< Ctrl-C does not reach it
};

/// The end of a process.
struct ProcessEnd {
  bool killed = false;
  int number = 0;  ///< of the signal that killed it; else its exit status

  /// "killed by SIGSEGV", "exit status 3".
  std::string text() const;
};

/// A program that this process started. Killed and waited for on destruction. If it has its own
/// group, the programs that it started are killed when it ends.
class Process {
 public:
  /// Throws std::system_error.
  explicit Process(const Launch& launch);
  Process(Process&& other) noexcept : id_(std::exchange(other.id_, kNone)), leads_group_(other.leads_group_), end_(other.end_) {}
  Process& operator=(Process&&) = delete;
  ~Process();

  /// Waits for its end; empty if it still runs after that time.
  std::optional<ProcessEnd> wait(std::chrono::milliseconds patience);
  /// Waits for its end without a limit.
  ProcessEnd wait();

  /// See stop_when_asked().
  void ask_to_stop() const;
  void kill() const;

 private:
  using Id = int;
  static constexpr Id kNone = -1;

  /// Notes its end. False if it still runs, or after a signal to this process; waits for it if
  /// `waits`.
  bool reap(bool waits);

  Id id_ = kNone;  ///< kNone once it has ended
  bool leads_group_ = false;
  std::optional<ProcessEnd> end_;
};

/// Descriptors of Launch::input and Launch::events in the started program until it moves them.
inline constexpr File::Native kRequestStream = 0;
inline constexpr File::Native kEventStream = 3;

/// Moves a stream to a high descriptor that programs started from here do not inherit. stdin
/// becomes empty in its place; others are closed.
File move_to_high(File::Native stream);

/// The file of the running program.
std::filesystem::path this_program();

}  // namespace percycle
