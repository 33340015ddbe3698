#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "core/error.hpp"
#include "platform/file.hpp"

namespace percycle {
namespace {

constexpr mode_t kPermissions = 0644;

std::error_code last_error() { return {errno, std::generic_category()}; }

int flags(File::Mode mode) {
  switch (mode) {
    case File::Mode::read:
      return O_RDONLY;
    case File::Mode::replace:
      return O_WRONLY | O_CREAT | O_TRUNC;
    case File::Mode::append_new:
      return O_WRONLY | O_APPEND | O_CREAT | O_EXCL;
    case File::Mode::append:
      return O_WRONLY | O_APPEND;
    case File::Mode::append_and_read:
      return O_RDWR | O_APPEND;
  }
  return O_RDONLY;
}

/// The result of `call`, repeated while signals interrupt it.
template <typename Call>
auto uninterrupted(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

std::size_t count_of(ssize_t result, std::error_code& error) {
  error = result < 0 ? last_error() : std::error_code();
  return result < 0 ? 0 : static_cast<std::size_t>(result);
}

}  // namespace

File File::open(const std::filesystem::path& path, Mode mode, std::error_code& error) {
  File file(::open(path.c_str(), flags(mode) | O_CLOEXEC, kPermissions));
  error = file.is_open() ? std::error_code() : last_error();
  return file;
}

void File::close() {
  if (is_open()) ::close(std::exchange(native_, kClosed));
}

std::error_code File::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    // If the disk fills up after a partial write, the next call fails.
    const ssize_t count = uninterrupted([&] { return ::write(native_, bytes.data(), bytes.size()); });
    if (count < 0) return last_error();
    if (count == 0) return {EIO, std::generic_category()};
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

std::size_t File::read(std::span<char> bytes, std::error_code& error) const {
  return count_of(uninterrupted([&] { return ::read(native_, bytes.data(), bytes.size()); }), error);
}

File::Wait File::wait(std::chrono::milliseconds patience) const {
  pollfd waiting{native_, POLLIN, 0};
  constexpr std::chrono::milliseconds kMost = std::chrono::hours(1);  // within an int
  const int ready = poll(&waiting, 1, static_cast<int>(std::clamp(patience, std::chrono::milliseconds(0), kMost).count()));
  if (ready > 0) return Wait::readable;
  return ready < 0 && errno == EINTR ? Wait::interrupted : Wait::timed_out;
}

bool File::is_regular(std::error_code& error) const {
  struct stat status {};
  error = ::fstat(native_, &status) != 0 ? last_error() : std::error_code();
  return !error && S_ISREG(status.st_mode);
}

bool File::lock() const { return ::flock(native_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

std::uint64_t File::size(std::error_code& error) const {
  const off_t end = ::lseek(native_, 0, SEEK_END);
  error = end < 0 ? last_error() : std::error_code();
  return end < 0 ? 0 : static_cast<std::uint64_t>(end);
}

std::error_code File::cut(std::uint64_t size) const {
  return ::ftruncate(native_, static_cast<off_t>(size)) != 0 ? last_error() : std::error_code();
}

std::error_code File::flush() const {
  if (::fdatasync(native_) == 0) return {};
  constexpr std::array kNothingToFlush{EINVAL, ENOTSUP, EROFS};
  return std::ranges::count(kNothingToFlush, errno) != 0 ? std::error_code() : last_error();
}

std::size_t File::read_at(std::uint64_t offset, std::span<char> bytes, std::error_code& error) const {
  return count_of(uninterrupted([&] { return ::pread(native_, bytes.data(), bytes.size(), static_cast<off_t>(offset)); }), error);
}

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw RunError(fmt::format("cannot make a pipe: {}", last_error().message()));
  return {File(ends[0]), File(ends[1])};
}

}  // namespace percycle
