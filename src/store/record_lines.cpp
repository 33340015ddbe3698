#include "store/record_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/error.hpp"

namespace percycle {
namespace {

constexpr std::size_t kLongestLine = 64'000'000;

UsageError cannot_read(const std::filesystem::path& path) {
  if (path.empty()) return UsageError("the name of a record file is empty");
  return UsageError(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
}

}  // namespace

RecordLines::RecordLines(std::filesystem::path path) : path_(std::move(path)), stream_(path_, std::ios::binary) {
  if (!stream_) throw cannot_read(path_);
  end_ = read_file(buffer_);
  const std::string_view start(buffer_.data(), end_);
  if (!start.starts_with(kGzipMark)) return;
  gunzip_.emplace([this, unread = std::string(start)](std::span<char> bytes) mutable {
    if (unread.empty()) return read_file(bytes);
    const std::size_t count = unread.copy(bytes.data(), bytes.size());
    unread.erase(0, count);
    return count;
  });
  end_ = 0;
}

std::size_t RecordLines::read_file(std::span<char> bytes) {
  stream_.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (stream_.bad()) throw cannot_read(path_);
  return static_cast<std::size_t>(stream_.gcount());
}

void RecordLines::refill() {
  begin_ = 0;
  end_ = gunzip_ ? gunzip_->read(buffer_) : read_file(buffer_);
}

double RecordLines::share_read() {
  std::error_code error;
  const auto size = static_cast<double>(std::filesystem::file_size(path_, error));
  const auto place = static_cast<double>(stream_.tellg());  // -1 at the end
  return error || size <= 0 || place <= 0 ? 1 : std::min(place / size, 1.0);
}

bool RecordLines::next(std::string& line) {
  line.clear();
  for (;;) {
    if (begin_ == end_) refill();
    if (end_ == 0) {
      ends_whole_ = line.empty();
      return !line.empty();
    }
    const std::string_view rest(buffer_.data() + begin_, end_ - begin_);
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    if (line.size() + length > kLongestLine)
      throw std::invalid_argument(fmt::format("a line of more than {} MB: not a record", kLongestLine / 1'000'000));
    line.append(rest.substr(0, length));
    begin_ += std::min(length + 1, rest.size());
    if (length < rest.size()) return true;
  }
}

std::string RecordLines::damage() {
  if (!gunzip_) return {};
  while (end_ != 0) refill();
  return gunzip_->damage();
}

}  // namespace percycle
