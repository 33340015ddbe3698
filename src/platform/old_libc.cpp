// Functions of newer C libraries that the static archives of g++ 12 call, for a binary that starts
// with glibc 2.31 (tools/build-portable). Only that binary links this file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>

#include <dlfcn.h>
#include <link.h>
#include <sys/random.h>

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

struct Search {
  std::uintptr_t address;
  dl_find_object* found;
};

static int holds_address(dl_phdr_info* info, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
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
  Search search{reinterpret_cast<std::uintptr_t>(address), found};
  return dl_iterate_phdr(holds_address, &search) == 1 ? 0 : -1;
}

}  // extern "C"
