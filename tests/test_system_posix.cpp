#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "platform/tool.hpp"
#include "test_system.hpp"

namespace percycle::test_system {

void unset_variable(const char* name) { ::unsetenv(name); }

void crash() {
  std::signal(SIGSEGV, SIG_DFL);  // AddressSanitizer has a handler
  std::raise(SIGSEGV);
  std::_Exit(99);
}

const char* const kCrashed = "killed by SIGSEGV";
const char* const kKilled = "killed by SIGKILL";

const char* const kIsFolder = "Is a directory";

const char* const kRuntimeLibrary = "libc.so.6";

const bool kScriptsArePrograms = true;
const bool kNamesMayHaveColons = true;

const bool kLimitsFileSizes = true;

FileSizeLimit::FileSizeLimit(std::uint64_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  before_ = limit.rlim_cur;
  limit.rlim_cur = bytes;
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

FileSizeLimit::~FileSizeLimit() {
  rlimit limit{};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = before_;
  ::setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, SIG_DFL);
}

std::uint64_t peak_memory_kib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss);
}

std::string stderr_of(const std::function<void()>& action) {
  const TemporaryFolder folder;
  const auto path = folder.write("stderr", "");
  std::fflush(stderr);
  const int before = ::dup(STDERR_FILENO);
  const int file = ::open(path.c_str(), O_WRONLY);
  ::dup2(file, STDERR_FILENO);
  ::close(file);
  action();
  std::fflush(stderr);
  ::dup2(before, STDERR_FILENO);
  ::close(before);
  return bytes_of(path);
}

}  // namespace percycle::test_system
