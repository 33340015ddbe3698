#include "platform/process.hpp"

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

/// As exec wants them.
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
  const int error = posix_spawn(&id_, launch.program.c_str(), &actions, &attributes, argv.data(), envp.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    id_ = kNone;
    throw std::system_error(error, std::generic_category());
  }
}

Process::~Process() {
  if (id_ == kNone) return;
  kill();
  wait();
}

std::optional<ProcessEnd> Process::wait(std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (std::chrono::microseconds pause{200}; !end_; pause = std::min(pause * 2, std::chrono::microseconds(20000))) {
    int status = 0;
    if (waitpid(id_, &status, WNOHANG) == id_) {
      id_ = kNone;
      end_ = end_of(status);
    } else if (std::chrono::steady_clock::now() > deadline) {
      break;
    } else {
      std::this_thread::sleep_for(pause);
    }
  }
  return end_;
}

ProcessEnd Process::wait() {
  if (!end_) {
    int status = 0;
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    id_ = kNone;
    end_ = end_of(status);
  }
  return *end_;
}

void Process::ask_to_stop() const {
  if (id_ != kNone) ::kill(id_, SIGTERM);
}

void Process::kill() const {
  if (id_ != kNone) ::kill(id_, SIGKILL);
}

std::filesystem::path this_program() { return "/proc/self/exe"; }

}  // namespace percycle
