#include "platform/signals.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>

namespace percycle {
namespace {

/// Made once, before the handler that writes it can run.
std::string& notice_of_stop() {
  static std::string notice;
  return notice;
}

void stop_on(int signal) {
  stop_requested();  // made before the handler can run
  notice_of_stop();
  struct sigaction action {};
  action.sa_handler = [](int) {
    const int error = errno;
    stop_requested() = true;
    const std::string& notice = notice_of_stop();
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, notice.data(), notice.size());
    errno = error;
  };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void stop_on_interrupt(std::string_view notice) {
  notice_of_stop() = notice;
  stop_on(SIGINT);
}

void stop_when_asked() { stop_on(SIGTERM); }

struct BlockedSignals::Mask {
  sigset_t signals;
};

BlockedSignals::BlockedSignals() : before_(std::make_unique<Mask>()) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before_->signals);
}

BlockedSignals::~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_->signals, nullptr); }

void ignore_broken_pipes() { std::signal(SIGPIPE, SIG_IGN); }

void ignore_alarms() { std::signal(SIGALRM, SIG_IGN); }

void end_with_parent() { prctl(PR_SET_PDEATHSIG, SIGKILL); }

}  // namespace percycle
