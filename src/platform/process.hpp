#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
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
  Process(Process&& other) noexcept;
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
  struct Running;

  std::unique_ptr<Running> running_;  ///< null once it has ended
  std::optional<ProcessEnd> end_;
};

/// Launch::input and Launch::events in the started program. On Linux these are their descriptors
/// until it moves them.
inline constexpr int kRequestStream = 0;
inline constexpr int kEventStream = 3;

/// Moves a stream to a high descriptor that programs started from here do not inherit. stdin
/// becomes empty in its place; others are closed.
File move_to_high(int stream);

/// The file of the running program.
std::filesystem::path this_program();

}  // namespace percycle
