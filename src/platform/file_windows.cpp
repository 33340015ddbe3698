#include <windows.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "platform/file.hpp"
#include "platform/windows_handles.hpp"

namespace percycle {
namespace {

/// A lock covers bytes that no file has: Windows refuses other processes to read locked bytes.
constexpr DWORD kLockOffsetHigh = 1 << 30;

OVERLAPPED at(std::uint64_t offset) {
  OVERLAPPED place{};
  place.Offset = static_cast<DWORD>(offset);
  place.OffsetHigh = static_cast<DWORD>(offset >> 32);
  return place;
}

struct Opening {
  DWORD access;
  DWORD disposition;
};

Opening opening(File::Mode mode) {
  switch (mode) {
    case File::Mode::read:
      return {GENERIC_READ, OPEN_EXISTING};
    case File::Mode::replace:
      return {GENERIC_WRITE, CREATE_ALWAYS};
    case File::Mode::append_new:
      return {GENERIC_WRITE, CREATE_NEW};
    case File::Mode::append:
      return {GENERIC_WRITE, OPEN_EXISTING};
    case File::Mode::append_and_read:
      return {GENERIC_READ | GENERIC_WRITE, OPEN_EXISTING};
  }
  return {GENERIC_READ, OPEN_EXISTING};
}

bool is_disk_file(File::Native native) { return GetFileType(handle(native)) == FILE_TYPE_DISK; }

}  // namespace

std::error_code last_error() {
  const std::error_code error(static_cast<int>(GetLastError()), std::system_category());
  const std::error_condition usual = error.default_error_condition();
  return usual.category() == std::generic_category() ? std::error_code(usual.value(), usual.category()) : error;
}

File File::open(const std::filesystem::path& path, Mode mode, std::error_code& error) {
  const Opening how = opening(mode);
  const HANDLE opened = CreateFileW(path.c_str(), how.access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                    how.disposition, FILE_ATTRIBUTE_NORMAL, nullptr);
  error = opened == INVALID_HANDLE_VALUE ? last_error() : std::error_code();
  // Windows says of a folder that the access is denied.
  if (const DWORD kind = GetFileAttributesW(path.c_str());
      error && kind != INVALID_FILE_ATTRIBUTES && (kind & FILE_ATTRIBUTE_DIRECTORY) != 0)
    error = std::make_error_code(std::errc::is_a_directory);
  return File(to_native(opened));
}

void File::close() {
  if (is_open()) CloseHandle(handle(std::exchange(native_, kClosed)));
}

std::error_code File::write(std::string_view bytes) const {
  // Every file is opened empty or to append: all ones is its end. Pipes ignore the place.
  while (!bytes.empty()) {
    OVERLAPPED end = at(~std::uint64_t{0});
    DWORD count = 0;
    const DWORD size = static_cast<DWORD>(std::min<std::size_t>(bytes.size(), 1 << 20));
    if (WriteFile(handle(native_), bytes.data(), size, &count, is_disk_file(native_) ? &end : nullptr) == 0) return last_error();
    if (count == 0) return std::make_error_code(std::errc::io_error);
    bytes.remove_prefix(count);
  }
  return {};
}

std::size_t File::read(std::span<char> bytes, std::error_code& error) const {
  DWORD count = 0;
  const bool is_read = ReadFile(handle(native_), bytes.data(), static_cast<DWORD>(bytes.size()), &count, nullptr) != 0;
  // The writer's end of a pipe is closed: the end of the file.
  error = is_read || GetLastError() == ERROR_BROKEN_PIPE ? std::error_code() : last_error();
  return count;
}

File::Wait File::wait(std::chrono::milliseconds patience) const {
  // Pipes cannot be waited for.
  const auto deadline = std::chrono::steady_clock::now() + patience;
  constexpr DWORD kLongestPause = 5;
  for (DWORD pause = 1;; pause = std::min(pause + 1, kLongestPause)) {
    DWORD available = 0;
    const bool is_sound = PeekNamedPipe(handle(native_), nullptr, 0, nullptr, &available, nullptr) != 0;
    if (!is_sound || available > 0) return Wait::readable;
    if (was_interrupted().exchange(false)) return Wait::interrupted;
    if (std::chrono::steady_clock::now() >= deadline) return Wait::timed_out;
    Sleep(pause);
  }
}

bool File::is_regular(std::error_code& error) const {
  SetLastError(ERROR_SUCCESS);
  const DWORD type = GetFileType(handle(native_));
  error = type == FILE_TYPE_UNKNOWN && GetLastError() != ERROR_SUCCESS ? last_error() : std::error_code();
  return type == FILE_TYPE_DISK;
}

bool File::lock() const {
  OVERLAPPED place{};
  place.OffsetHigh = kLockOffsetHigh;
  return LockFileEx(handle(native_), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place) != 0 ||
         (GetLastError() != ERROR_LOCK_VIOLATION && GetLastError() != ERROR_IO_PENDING);
}

std::uint64_t File::size(std::error_code& error) const {
  LARGE_INTEGER size{};
  error = GetFileSizeEx(handle(native_), &size) == 0 ? last_error() : std::error_code();
  return error ? 0 : static_cast<std::uint64_t>(size.QuadPart);
}

std::error_code File::cut(std::uint64_t size) const {
  FILE_END_OF_FILE_INFO end{};
  end.EndOfFile.QuadPart = static_cast<LONGLONG>(size);
  return SetFileInformationByHandle(handle(native_), FileEndOfFileInfo, &end, sizeof(end)) == 0 ? last_error()
                                                                                                : std::error_code();
}

std::error_code File::flush() const {
  // A flush of a pipe would wait until all is read.
  if (!is_disk_file(native_) || FlushFileBuffers(handle(native_)) != 0) return {};
  return GetLastError() == ERROR_INVALID_FUNCTION || GetLastError() == ERROR_NOT_SUPPORTED ? std::error_code() : last_error();
}

std::size_t File::read_at(std::uint64_t offset, std::span<char> bytes, std::error_code& error) const {
  OVERLAPPED place = at(offset);
  DWORD count = 0;
  const bool is_read = ReadFile(handle(native_), bytes.data(), static_cast<DWORD>(bytes.size()), &count, &place) != 0;
  error = is_read || GetLastError() == ERROR_HANDLE_EOF ? std::error_code() : last_error();
  return count;
}

Pipe make_pipe() {
  HANDLE output = INVALID_HANDLE_VALUE;
  HANDLE input = INVALID_HANDLE_VALUE;
  constexpr DWORD kBytes = 1 << 16;  // as on Linux
  if (CreatePipe(&output, &input, nullptr, kBytes) == 0) throw RunError("cannot make a pipe: " + last_error().message());
  return {File(to_native(output)), File(to_native(input))};
}

}  // namespace percycle
