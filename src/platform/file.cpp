#include "platform/file.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "core/error.hpp"

namespace percycle {

File::File(File&& other) noexcept : native_(std::exchange(other.native_, kClosed)) {}

File& File::operator=(File&& other) noexcept {
  std::swap(native_, other.native_);
  return *this;
}

File::~File() { close(); }

std::string read_small_file(const std::filesystem::path& path, std::size_t most) {
  std::error_code error;
  const File file = File::open(path, File::Mode::read, error);
  std::string text;
  std::array<char, 1 << 16> buffer{};
  while (!error && text.size() <= most) {
    const std::size_t count = file.read(buffer, error);
    if (count == 0) break;
    text.append(buffer.data(), count);
  }
  if (error) throw UsageError(fmt::format("cannot read {}: {}", path.string(), error.message()));
  if (text.size() > most) throw UsageError(fmt::format("cannot read {}: more than {} bytes", path.string(), most));
  return text;
}

}  // namespace percycle
