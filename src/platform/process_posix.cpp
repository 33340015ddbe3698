#include "platform/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <thread>

extern char** environ;

namespace percycle {
namespace {

/// This process's environment with these changes, as "NAME=value".
std::vector<std::string> merged(const Environment& changes) {
  std::vector<std::string> all;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable = *each;
    const std::string_view name = variable.substr(0, variable.find('='));
    if (std::ranges::none_of(changes, [&](const auto& change) { return change.first == name; })) all.emplace_back(variable);
  }
  for (const auto& [name, value] : changes) all.push_back(name + '=' + value);
  return all;
}

/// In the form that exec expects.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

ProcessEnd end_of(int status) {
  return WIFSIGNALED(status) ? ProcessEnd{true, WTERMSIG(status)} : ProcessEnd{false, WEXITSTATUS(status)};
}

}  // namespace

std::string ProcessEnd::text() const {
  if (!killed) return fmt::format("exit status {}", number);
  const char* name = sigabbrev_np(number);
  return name != nullptr ? fmt::format("killed by SIG{}", name) : fmt::format("killed by signal {}", number);
}

struct Process::Running {
  pid_t id;
  bool leads_group;

  /// Its end; empty if it still runs, or after a signal to this process. Waits for it if `waits`.
  std::optional<ProcessEnd> reap(bool waits) const;
};

Process::Process(Process&& other) noexcept = default;

Process::Process(const Launch& launch) {
  std::vector<std::string> words{launch.name};
  words.insert(words.end(), launch.arguments.begin(), launch.arguments.end());
  std::vector<std::string> variables = merged(launch.environment);
  const std::vector<char*> argv = pointers(words);
  const std::vector<char*> envp = pointers(variables);

  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  const auto give = [&](const File* file, int as) {
    if (file != nullptr) posix_spawn_file_actions_adddup2(&actions, file->native(), as);
  };
  give(launch.input, STDIN_FILENO);
  if (launch.output == nullptr) posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  give(launch.output, STDOUT_FILENO);
  give(launch.errors, STDERR_FILENO);
  give(launch.events, kEventStream);
  posix_spawnattr_t attributes{};
  posix_spawnattr_init(&attributes);
  if (launch.own_group) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t id = 0;
  const int error = posix_spawn(&id, launch.program.c_str(), &actions, &attributes, argv.data(), envp.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::system_error(error, std::generic_category());
  running_ = std::make_unique<Running>(Running{id, launch.own_group});
}

Process::~Process() {
  if (!running_) return;
  kill();
  wait();
}

std::optional<ProcessEnd> Process::wait(std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (std::chrono::microseconds pause{200}; !end_; pause = std::min(pause * 2, std::chrono::microseconds(20000))) {
    end_ = running_->reap(false);
    if (end_ || std::chrono::steady_clock::now() > deadline) break;
    std::this_thread::sleep_for(pause);
  }
  if (end_) running_.reset();
  return end_;
}

std::optional<ProcessEnd> Process::Running::reap(bool waits) const {
  siginfo_t found{};
  // Left as a zombie first, so that its id remains the id of its group.
  const int result = waitid(P_PID, static_cast<id_t>(id), &found, WEXITED | WNOWAIT | (waits ? 0 : WNOHANG));
  // This process was started with SIGCHLD ignored: the end is unknown.
  if (result != 0 && errno == ECHILD) return ProcessEnd{};
  if (result != 0 || found.si_pid != id) return std::nullopt;
  if (leads_group) ::kill(-id, SIGKILL);
  int status = 0;
  waitpid(id, &status, 0);
  return end_of(status);
}

ProcessEnd Process::wait() {
  while (!end_) end_ = running_->reap(true);
  running_.reset();
  return *end_;
}

void Process::ask_to_stop() const {
  if (running_) ::kill(running_->id, SIGTERM);
}

void Process::kill() const {
  if (running_) ::kill(running_->leads_group ? -running_->id : running_->id, SIGKILL);
}

File move_to_high(int stream) {
  constexpr int kHigh = 500;  // far above drivers' descriptors; a process may have fewer
  int moved = fcntl(stream, F_DUPFD_CLOEXEC, kHigh);
  if (moved < 0) moved = fcntl(stream, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  ::close(stream);
  if (stream == STDIN_FILENO) {
    // Takes the lowest free number.
    [[maybe_unused]] const int empty = ::open("/dev/null", O_RDONLY);
  }
  return File(moved);
}

std::filesystem::path this_program() { return "/proc/self/exe"; }

}  // namespace percycle
