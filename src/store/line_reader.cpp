#include "store/line_reader.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/error.hpp"

namespace percycle {
namespace {

constexpr std::size_t kBytes = 1 << 20;

void check(const std::error_code& error, const std::filesystem::path& path) {
  if (error) throw UsageError(fmt::format("cannot read {}: {}", path.string(), error.message()));
}

}  // namespace

LineReader::LineReader(const std::filesystem::path& path) : path_(path), read_(new char[kBytes]) {
  std::error_code error;
  file_ = File::open(path, File::Mode::read, error);
  check(error, path);
}

/// Appends what one call gives; nothing at the end of the file.
std::size_t LineReader::read_more(std::string& text) {
  std::error_code error;
  const std::size_t got = file_.read({read_.get(), kBytes}, error);
  check(error, path_);
  text.append(read_.get(), got);
  return got;
}

std::optional<LineBlock> LineReader::next() {
  const std::scoped_lock lock(mutex_);
  LineBlock block{blocks_, lines_ + 1, std::exchange(rest_, {})};
  for (;;) {
    const std::size_t got = read_more(block.text);
    if (got == 0) break;
    const auto last = std::string_view(block.text).substr(block.text.size() - got).rfind('\n');
    if (last == std::string_view::npos) continue;
    const std::size_t end = block.text.size() - got + last + 1;
    rest_ = block.text.substr(end);
    block.text.resize(end);
    break;
  }
  if (block.text.empty()) return std::nullopt;
  ++blocks_;
  // A search for each line takes a tenth of what looking at each character does.
  for (auto end = block.text.find('\n'); end != std::string::npos; end = block.text.find('\n', end + 1)) ++lines_;
  return block;
}

}  // namespace percycle
