#include "session/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include "core/error.hpp"

extern char** environ;

namespace percycle {
namespace {

struct Pipe {
  int read = -1;
  int write = -1;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw RunError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  return {ends[0], ends[1]};
}

void close_if_open(int& descriptor) {
  if (descriptor >= 0) close(descriptor);
  descriptor = -1;
}

std::vector<std::string> merged_environment(const Child::Environment& changes) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    bool replaced = false;
    for (const auto& [name, value] : changes) replaced = replaced || text.starts_with(name + '=');
    if (!replaced) merged.push_back(text);
  }
  for (const auto& [name, value] : changes) merged.push_back(name + '=' + value);
  return merged;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (auto& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

Child::Child(const std::vector<std::string>& arguments, const Environment& environment) {
  Pipe input = make_pipe();
  Pipe events = make_pipe();
  std::vector<std::string> words{"percycle", "worker"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  auto variables = merged_environment(environment);
  auto argv = pointers(words);
  auto envp = pointers(variables);

  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.read, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, events.write, kEventDescriptor);
  posix_spawnattr_t attributes{};
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int error = posix_spawn(&pid_, "/proc/self/exe", &actions, &attributes, argv.data(), envp.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close_if_open(input.read);
  close_if_open(events.write);
  input_ = input.write;
  events_ = events.read;
  if (error != 0) {
    pid_ = -1;
    close_if_open(input_);
    close_if_open(events_);
    throw RunError(fmt::format("cannot start a worker process: {}", std::strerror(error)));
  }
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      input_(std::exchange(other.input_, -1)),
      events_(std::exchange(other.events_, -1)),
      buffer_(std::move(other.buffer_)) {}

Child::~Child() {
  close_if_open(input_);
  close_if_open(events_);
  if (pid_ > 0) {
    kill();
    reap();
  }
}

void Child::send(const std::string& line) {
  const std::string text = line + '\n';
  std::size_t sent = 0;
  while (sent < text.size()) {
    const ssize_t count = write(input_, text.data() + sent, text.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    sent += static_cast<std::size_t>(count);
  }
}

Child::Event Child::next(std::chrono::steady_clock::time_point deadline) {
  for (;;) {
    if (const auto end = buffer_.find('\n'); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return {Event::Kind::line, std::move(line)};
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    if (left <= 0) return {Event::Kind::timed_out, {}};
    pollfd waiting{events_, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::min<decltype(left)>(left, 3'600'000)));
    if (ready < 0 && errno == EINTR) return {Event::Kind::timed_out, {}, true};
    if (ready <= 0) continue;
    std::array<char, 65536> bytes{};
    const ssize_t count = read(events_, bytes.data(), bytes.size());
    if (count > 0) {
      buffer_.append(bytes.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      return {Event::Kind::ended, reap()};
    }
  }
}

void Child::ask_to_stop() {
  if (pid_ > 0) ::kill(pid_, SIGTERM);
}

void Child::kill() {
  if (pid_ > 0) ::kill(pid_, SIGKILL);
}

std::string Child::reap() {
  if (pid_ <= 0) return "already ended";
  int status = 0;
  // A child that closed its events but lives on (a driver's thread that hangs at exit) gets two seconds, then no more.
  pid_t ended = 0;
  for (int i = 0; i < 2000 && ended == 0; ++i) {
    ended = waitpid(pid_, &status, WNOHANG);
    if (ended == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (ended == 0) {
    kill();
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  pid_ = -1;
  if (WIFSIGNALED(status)) {
    const char* name = sigabbrev_np(WTERMSIG(status));
    return name != nullptr ? fmt::format("killed by SIG{}", name) : fmt::format("killed by signal {}", WTERMSIG(status));
  }
  return fmt::format("exit status {}", WEXITSTATUS(status));
}

}  // namespace percycle
