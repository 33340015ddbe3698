#include <windows.h>
// After windows.h.
#include <fcntl.h>
#include <io.h>
#include <psapi.h>

#include <cstdio>
#include <cstdlib>

#include "platform/tool.hpp"
#include "platform/windows_text.hpp"
#include "test_system.hpp"

namespace percycle::test_system {

void unset_variable(const char* name) {
  _wputenv_s(wide(name).c_str(), L"");
  SetEnvironmentVariableW(wide(name).c_str(), nullptr);
}

void crash() {
  volatile char* volatile nowhere = nullptr;
  *nowhere = 1;
  std::_Exit(99);
}

const char* const kCrashed = "killed by access violation";
const char* const kKilled = "killed";

const char* const kIsFolder = "Permission denied";

const char* const kRuntimeLibrary = "msvcrt.dll";

const bool kScriptsArePrograms = false;
const bool kNamesMayHaveColons = false;

// Windows does not limit the size of files.
const bool kLimitsFileSizes = false;
FileSizeLimit::FileSizeLimit(std::uint64_t /*bytes*/) {}
FileSizeLimit::~FileSizeLimit() = default;

std::uint64_t peak_memory_kib() {
  PROCESS_MEMORY_COUNTERS counters{};
  counters.cb = sizeof(counters);
  GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof(counters));
  return counters.PeakWorkingSetSize / 1024;
}

std::string stderr_of(const std::function<void()>& action) {
  const TemporaryFolder folder;
  const auto path = folder.write("stderr", "");
  constexpr int kErrors = 2;
  std::fflush(stderr);
  const int before = _dup(kErrors);
  const int file = _wopen(path.c_str(), _O_WRONLY | _O_BINARY);
  _dup2(file, kErrors);
  _close(file);
  action();
  std::fflush(stderr);
  _dup2(before, kErrors);
  _close(before);
  return bytes_of(path);
}

}  // namespace percycle::test_system
