#include <windows.h>

#include <string>
#include <thread>

#include "platform/signals.hpp"
#include "platform/windows_handles.hpp"

namespace percycle {
namespace {

/// Made once, before the handler that reads it can run.
std::string& notice_of_stop() {
  static std::string notice;
  return notice;
}

/// Windows calls it in a separate thread.
BOOL WINAPI stop_on_event(DWORD event) {
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) return FALSE;
  if (stop_requested().exchange(true)) return FALSE;  // the second one ends the process
  const std::string& notice = notice_of_stop();
  DWORD written = 0;
  WriteFile(GetStdHandle(STD_ERROR_HANDLE), notice.data(), static_cast<DWORD>(notice.size()), &written, nullptr);
  was_interrupted() = true;
  return TRUE;
}

}  // namespace

std::atomic<bool>& was_interrupted() {
  static std::atomic<bool> instance{false};
  return instance;
}

void stop_on_interrupt(std::string_view notice) {
  notice_of_stop() = notice;
  stop_requested();                       // made before the handler can run
  SetConsoleCtrlHandler(nullptr, FALSE);  // a parent may have had Ctrl-C ignored
  SetConsoleCtrlHandler(stop_on_event, TRUE);
}

void stop_when_asked() {
  const File::Native stop = inherited(Inherited::stop);
  if (handle(stop) == INVALID_HANDLE_VALUE) return;
  std::thread([stop] {
    if (WaitForSingleObject(handle(stop), INFINITE) == WAIT_OBJECT_0) stop_requested() = true;
  }).detach();
}

struct BlockedSignals::Mask {};

// Ctrl-C has a separate thread.
BlockedSignals::BlockedSignals() = default;
BlockedSignals::~BlockedSignals() = default;

// A write to a broken pipe fails in any case.
void ignore_broken_pipes() {}

// Windows has no timers of this kind.
void ignore_alarms() {}

// A child's job ends with the parent, see Process.
void end_with_parent() {}

}  // namespace percycle
