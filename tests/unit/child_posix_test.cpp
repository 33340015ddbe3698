// Workers and what POSIX alone has: signals, descriptors, process groups, zombies.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string>
#include <string_view>
#include <thread>

#include "platform/child.hpp"
#include "unit/child_events.hpp"
#include "worker_scripts.hpp"

namespace percycle::child_posix_test {
namespace {

using namespace std::chrono_literals;
using namespace child_events;
using Kind = Child::Event::Occurrence;

/// A driver may write to each descriptor that a library opens, and to the first one that programs
/// get.
void write_to_pipes(std::string_view text) {
  for (int fd = 3; fd < 1024; ++fd) {
    const int flags = fcntl(fd, F_GETFD);
    if (fd == 3 || (flags >= 0 && (flags & FD_CLOEXEC) != 0)) static_cast<void>(write(fd, text.data(), text.size()) < 0);
  }
}

[[noreturn]] void die(int signal) {
  std::signal(signal, SIG_DFL);
  raise(signal);
  _exit(99);
}

void play_noise() {
  open_channel();
  for (const char* text : {"{\"end\":true}\n", "0123456789abcdef0123456789abcdef {\"end\":true}\n", "part of a line"})
    write_to_pipes(text);
  emit("one");
}

void play_flood() {
  open_channel();
  const std::string text(1 << 16, 'x');
  for (;;) write_to_pipes(text);
}

void play_closes() {
  open_channel();
  for (int fd = 0; fd < 64; ++fd) close(fd);
  emit("one");
  emit(read_line());
}

void play_forks() {
  emit("one");
  if (fork() == 0) {
    sleep(60);
    _exit(0);
  }
  die(SIGABRT);
}

[[maybe_unused]] const bool are_registered = [] {
  worker_scripts().merge(std::map<std::string, void (*)()>{
      {"noise", play_noise},
      {"flood", play_flood},
      {"closes", play_closes},
      {"forks", play_forks},
      {"group", [] { emit(getpgrp() == getpid() ? "its own" : "its parent's"); }},
      {"aborts", [] { die(SIGABRT); }},
  });
  return true;
}();

TEST_CASE("child: a driver's output to any descriptor is no event, and damages none") {
  Child child({"noise"});
  CHECK(line_of(child) == "one");
  CHECK(end_of(child) == "exit status 0");
  Child flood({"flood"});
  CHECK(flood.next(in(300ms)).kind == Kind::timed_out);
  CHECK(flood.next(in(-1s)).kind == Kind::timed_out);
}

TEST_CASE("child: a driver that closes the low descriptors does not cut it off") {
  Child child({"closes"});
  CHECK(line_of(child) == "one");
  child.send("two");
  CHECK(line_of(child) == "two");
}

TEST_CASE("child: a process that its driver left behind does not hide its end") {
  Child child({"forks"});
  CHECK(line_of(child) == "one");
  const auto begin = std::chrono::steady_clock::now();
  CHECK(end_of(child) == "killed by SIGABRT");
  CHECK(std::chrono::steady_clock::now() - begin < kPatience / 2);
}

TEST_CASE("child: the signal's name says how it was killed") {
  Child child({"aborts"});
  CHECK(end_of(child) == "killed by SIGABRT");
}

TEST_CASE("child: it has a separate process group") {
  Child child({"group"});
  CHECK(line_of(child) == "its own");
}

TEST_CASE("platform: a process that is asked to stop gets SIGTERM") {
  Process slow({.program = "/bin/sh", .name = "sh", .arguments = {"-c", "exec sleep 1000"}});
  CHECK_FALSE(slow.wait(1ms));
  slow.ask_to_stop();
  CHECK(slow.wait().text() == "killed by SIGTERM");
}

TEST_CASE("child: a signal to this process ends the wait early") {
  Child child({"hang"});
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) {};  // without SA_RESTART
  sigaction(SIGUSR1, &action, &before);
  const pthread_t here = pthread_self();
  std::atomic<bool> over{false};
  std::thread signaller([&] {
    while (!over) {
      pthread_kill(here, SIGUSR1);
      std::this_thread::sleep_for(5ms);
    }
  });
  const auto event = child.next(in(kPatience));
  over = true;
  signaller.join();
  sigaction(SIGUSR1, &before, nullptr);
  CHECK(event.kind == Kind::timed_out);
  CHECK(event.interrupted);
}

TEST_CASE("child: one that is dropped is killed and leaves no zombie") {
  { Child child({"hang"}); }
  {
    Child child({"hang"});
    Child moved(std::move(child));
    CHECK(moved.next(in(20ms)).kind == Kind::timed_out);
  }
  CHECK(waitpid(-1, nullptr, WNOHANG) == -1);
  CHECK(errno == ECHILD);
}

}  // namespace
}  // namespace percycle::child_posix_test
