#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/file.hpp"

namespace percycle {

/// Variables by name that a started program sees in place of ours.
using Environment = std::vector<std::pair<std::string, std::string>>;

/// How to start a program, without a shell.
struct Launch {
  std::filesystem::path program;
  std::string name;  ///< what it sees as its own
  std::vector<std::string> arguments{};
  Environment environment{};
  const File* input = nullptr;   ///< its stdin; ours where there is none
  const File* output = nullptr;  ///< its stdout; goes where our stderr goes where there is none
  const File* errors = nullptr;  ///< its stderr; ours where there is none
  const File* events = nullptr;  ///< what write_event() writes to in a child that runs this binary, see platform/child.hpp
  bool own_group = false;        ///< Ctrl-C does not reach it
};

/// How a process ended.
struct ProcessEnd {
  bool killed = false;
  int number = 0;  ///< of the signal that killed it; else its exit status

  /// "killed by SIGSEGV", "exit status 3".
  std::string text() const;
};

/// A program that this process started. Killed on destruction, and waited for. With a group of its own, what it started itself is killed
/// when it ends.
class Process {
 public:
  /// Throws std::system_error.
  explicit Process(const Launch& launch);
  Process(Process&& other) noexcept : id_(std::exchange(other.id_, kNone)), leads_group_(other.leads_group_), end_(other.end_) {}
  Process& operator=(Process&&) = delete;
  ~Process();

  /// How it ended; absent if it still runs when that time is over.
  std::optional<ProcessEnd> wait(std::chrono::milliseconds patience);
  /// The same, however long it takes.
  ProcessEnd wait();

  /// See stop_when_asked().
  void ask_to_stop() const;
  void kill() const;

 private:
  using Id = int;
  static constexpr Id kNone = -1;

  /// Takes note of its end. False where it still runs, or after a signal to this process; waits for it unless told not to.
  bool reap(bool waits);

  Id id_ = kNone;  ///< kNone once it has ended
  bool leads_group_ = false;
  std::optional<ProcessEnd> end_;
};

/// What Launch::input and Launch::events are in the program that was started, until it moves them.
inline constexpr File::Native kRequestStream = 0;
inline constexpr File::Native kEventStream = 3;

/// Moves a stream to a high descriptor that programs started from here do not get. In its place stdin becomes empty; others are closed.
File move_to_high(File::Native stream);

/// The file of the program that runs here.
std::filesystem::path this_program();

}  // namespace percycle
