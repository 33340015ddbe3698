#include <windows.h>

#include <map>
#include <mutex>
#include <new>

#include "platform/reserved_memory.hpp"

namespace percycle {
namespace {

// Windows gives no memory that it could not back later. So the address space is reserved only, and
// a page is committed when its first access fails.
constexpr std::uintptr_t kCommitted = 1 << 16;  // bytes at a time

std::mutex& guard() {
  static std::mutex instance;
  return instance;
}

/// The size of each reserved block by its start address.
std::map<std::uintptr_t, std::uint64_t>& blocks() {
  static std::map<std::uintptr_t, std::uint64_t> instance;
  return instance;
}

bool commit(std::uintptr_t address) {
  std::uintptr_t last = 0;
  {
    const std::lock_guard lock(guard());
    auto block = blocks().upper_bound(address);
    if (block == blocks().begin()) return false;
    --block;
    last = block->first + block->second;
  }
  if (address >= last) return false;
  const std::uintptr_t begin = address / kCommitted * kCommitted;  // blocks begin there
  const std::uintptr_t size = last - begin < kCommitted ? last - begin : kCommitted;
  return VirtualAlloc(reinterpret_cast<void*>(begin), size, MEM_COMMIT, PAGE_READWRITE) != nullptr;
}

LONG CALLBACK commit_on_access(EXCEPTION_POINTERS* exception) {
  const EXCEPTION_RECORD& record = *exception->ExceptionRecord;
  const bool is_access = record.ExceptionCode == EXCEPTION_ACCESS_VIOLATION && record.NumberParameters >= 2;
  return is_access && commit(record.ExceptionInformation[1]) ? EXCEPTION_CONTINUE_EXECUTION : EXCEPTION_CONTINUE_SEARCH;
}

std::byte* reserve(std::uint64_t bytes) {
  static const void* const handler = AddVectoredExceptionHandler(1, commit_on_access);
  void* const begin = handler != nullptr ? VirtualAlloc(nullptr, bytes, MEM_RESERVE, PAGE_READWRITE) : nullptr;
  if (begin == nullptr) throw std::bad_alloc();
  const std::lock_guard lock(guard());
  blocks().emplace(reinterpret_cast<std::uintptr_t>(begin), bytes);
  return static_cast<std::byte*>(begin);
}

}  // namespace

void ReservedMemory::Unmap::operator()(std::byte* begin) const {
  {
    const std::lock_guard lock(guard());
    blocks().erase(reinterpret_cast<std::uintptr_t>(begin));
  }
  VirtualFree(begin, 0, MEM_RELEASE);
}

ReservedMemory::ReservedMemory(std::uint64_t bytes) : begin_(reserve(bytes), Unmap{bytes}) {}

}  // namespace percycle
