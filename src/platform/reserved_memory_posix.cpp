#include "platform/reserved_memory.hpp"

#include <sys/mman.h>

#include <new>

namespace percycle {
namespace {

std::byte* map(std::uint64_t bytes) {
  void* const begin = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(begin);
}

}  // namespace

void ReservedMemory::Unmap::operator()(std::byte* begin) const { munmap(begin, size); }

ReservedMemory::ReservedMemory(std::uint64_t bytes) : begin_(map(bytes), Unmap{bytes}) {}

}  // namespace percycle
