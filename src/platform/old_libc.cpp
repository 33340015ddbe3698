// Functions of newer C libraries that percycle and the static archives of g++ 12 call, for a binary
// that starts with glibc 2.27 (tools/build-portable). Only that binary links this file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sys/random.h>
#include <time.h>

extern "C" {

/// Always "no": the archives then use atomic instructions for every count of references.
char __libc_single_threaded = 0;

std::uint32_t arc4random() noexcept {
  std::uint32_t value = 0;
  if (getentropy(&value, sizeof value) != 0) std::abort();
  return value;
}

const char* sigabbrev_np(int signal) noexcept {
  static constexpr const char* kNames[] = {nullptr,  "HUP",  "INT",    "QUIT", "ILL",   "TRAP", "ABRT", "BUS",
                                           "FPE",    "KILL", "USR1",   "SEGV", "USR2",  "PIPE", "ALRM", "TERM",
                                           "STKFLT", "CHLD", "CONT",   "STOP", "TSTP",  "TTIN", "TTOU", "URG",
                                           "XCPU",   "XFSZ", "VTALRM", "PROF", "WINCH", "POLL", "PWR",  "SYS"};
  return signal > 0 && static_cast<std::size_t>(signal) < std::size(kNames) ? kNames[signal] : nullptr;
}

struct LoaderSearch {
  std::uintptr_t address;
  dl_find_object* found;
};

static int holds_address(dl_phdr_info* info, std::size_t, void* data) {
  auto& search = *static_cast<LoaderSearch*>(data);
  std::uintptr_t start = 0, end = 0;
  void* eh_frame = nullptr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD && search.address >= begin && search.address - begin < header.p_memsz) {
      start = begin;
      end = begin + header.p_memsz;
    }
    if (header.p_type == PT_GNU_EH_FRAME) eh_frame = reinterpret_cast<void*>(begin);
  }
  if (end == 0) return 0;
  if (eh_frame == nullptr) return -1;
  *search.found = {};
  search.found->dlfo_map_start = reinterpret_cast<void*>(start);
  search.found->dlfo_map_end = reinterpret_cast<void*>(end);
  search.found->dlfo_eh_frame = eh_frame;
  return 1;
}

/// The unwinder of g++ 12 asks this for the tables of the code at an address.
int _dl_find_object(void* address, dl_find_object* found) noexcept {
  LoaderSearch search{reinterpret_cast<std::uintptr_t>(address), found};
  return dl_iterate_phdr(holds_address, &search) == 1 ? 0 : -1;
}

/// glibc 2.30 has it. Here the wait ends by the wall clock. If the clock is set meanwhile, the wait
/// ends too early or too late.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* end) {
  constexpr long kSecond = 1'000'000'000;
  timespec now{}, wall{};
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &wall);
  wall.tv_sec += end->tv_sec - now.tv_sec;
  wall.tv_nsec += end->tv_nsec - now.tv_nsec;
  if (wall.tv_nsec < 0) {
    wall.tv_nsec += kSecond;
    --wall.tv_sec;
  } else if (wall.tv_nsec >= kSecond) {
    wall.tv_nsec -= kSecond;
    ++wall.tv_sec;
  }
  return pthread_cond_timedwait(condition, mutex, &wall);
}

// glibc 2.29 renewed these. The first versions are still there and give the same values.
#ifdef __aarch64__
#define PERCYCLE_FIRST(function) asm(".symver first_" #function ", " #function "@GLIBC_2.17")
#else
#define PERCYCLE_FIRST(function) asm(".symver first_" #function ", " #function "@GLIBC_2.2.5")
#endif
PERCYCLE_FIRST(exp);
PERCYCLE_FIRST(exp2);
PERCYCLE_FIRST(log);
PERCYCLE_FIRST(log2);
PERCYCLE_FIRST(pow);
double first_exp(double x);
double first_exp2(double x);
double first_log(double x);
double first_log2(double x);
double first_pow(double x, double y);
// The linker takes these instead (--wrap, src/CMakeLists.txt).
double __wrap_exp(double x) { return first_exp(x); }
double __wrap_exp2(double x) { return first_exp2(x); }
double __wrap_log(double x) { return first_log(x); }
double __wrap_log2(double x) { return first_log2(x); }
double __wrap_pow(double x, double y) { return first_pow(x, y); }

}  // extern "C"
