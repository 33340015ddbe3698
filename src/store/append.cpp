#include "store/append.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "core/error.hpp"
#include "store/record_json.hpp"

namespace percycle {
namespace {

constexpr mode_t kMode = 0644;

int open_file(const std::filesystem::path& path, int flags) { return ::open(path.c_str(), flags | O_APPEND | O_CLOEXEC, kMode); }

UsageError cannot(const char* what, const std::filesystem::path& path, int error) {
  return UsageError(fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(error)));
}

std::string line_of(const Record& record) {
  try {
    return to_line(to_json(record)) + '\n';
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("refused to write a record that breaks the schema: {}", error.what()));
  }
}

bool is_pipe_or_device(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return std::filesystem::is_character_file(status) || std::filesystem::is_fifo(status);
}

}  // namespace

RecordFile::RecordFile(std::filesystem::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail("cannot inspect", errno);
  regular_ = S_ISREG(status.st_mode);
  // A second writer (two --resume at once) would interleave. File systems without locks answer otherwise, and are let through.
  if (regular_ && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(std::exchange(descriptor_, -1));
    throw UsageError(fmt::format("{} is being written by another percycle", path_.string()));
  }
}

RecordFile RecordFile::create(const std::filesystem::path& path) {
  int descriptor = open_file(path, O_WRONLY | O_CREAT | O_EXCL);
  if (descriptor < 0 && errno == EEXIST) {
    if (!is_pipe_or_device(path)) {
      throw UsageError(fmt::format("{} exists already: choose another name, or --resume to go on with it", path.string()));
    }
    descriptor = open_file(path, O_WRONLY);
  }
  if (descriptor < 0) throw cannot("create", path, errno);
  return {path, descriptor};
}

RecordFile RecordFile::resume(const std::filesystem::path& path) {
  const int descriptor = open_file(path, O_RDWR);
  if (descriptor < 0) throw cannot("open", path, errno);
  RecordFile file(path, descriptor);
  if (file.regular_) file.drop_partial_line();
  return file;
}

RecordFile::RecordFile(RecordFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), regular_(other.regular_) {}

RecordFile& RecordFile::operator=(RecordFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(regular_, other.regular_);
  return *this;
}

RecordFile::~RecordFile() {
  // Every line has been flushed and checked in append(): nothing is left that close() could lose.
  if (descriptor_ >= 0) ::close(descriptor_);
}

void RecordFile::append(const Record& record, Durability durability) {
  const std::string line = line_of(record);

  const off_t before = regular_ ? ::lseek(descriptor_, 0, SEEK_END) : 0;
  std::size_t done = 0;
  while (done < line.size()) {
    // One call in all but odd cases: a signal, or a disk that is full after a part of the line (the next call then says so).
    const ssize_t written = ::write(descriptor_, line.data() + done, line.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int error = written < 0 ? errno : EIO;
      if (regular_ && before >= 0) static_cast<void>(!::ftruncate(descriptor_, before));
      fail("cannot write", error);
    }
    done += static_cast<std::size_t>(written);
  }
  if (durability == Durability::process) return;
  // EINVAL and ENOTSUP: pipes and some file systems have nothing to flush.
  if (::fdatasync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS) fail("cannot flush", errno);
}

void RecordFile::drop_partial_line() {
  std::array<char, 1 << 16> buffer{};
  off_t end = ::lseek(descriptor_, 0, SEEK_END);
  if (end < 0) fail("cannot read", errno);
  const off_t size = end;
  while (end > 0) {
    const off_t start = std::max<off_t>(0, end - static_cast<off_t>(buffer.size()));
    const ssize_t got = ::pread(descriptor_, buffer.data(), static_cast<std::size_t>(end - start), start);
    if (got < 0 && errno == EINTR) continue;
    if (got != end - start) fail("cannot read", got < 0 ? errno : EIO);
    const auto newline = std::string_view(buffer.data(), static_cast<std::size_t>(got)).rfind('\n');
    if (newline != std::string_view::npos) {
      end = start + static_cast<off_t>(newline) + 1;
      break;
    }
    end = start;
  }
  if (end != size && ::ftruncate(descriptor_, end) != 0) fail("cannot drop the partial last line of", errno);
}

void RecordFile::fail(const char* what, int error) const {
  throw RunError(fmt::format("{} {}: {}", what, path_.string(), std::strerror(error)));
}

}  // namespace percycle
