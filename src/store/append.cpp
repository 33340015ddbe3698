#include "store/append.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "core/error.hpp"
#include "store/gzip.hpp"
#include "store/record_json.hpp"

namespace percycle {
namespace {

UsageError cannot(const char* action, const std::filesystem::path& path, const std::error_code& error) {
  return UsageError(fmt::format("cannot {} {}: {}", action, path.string(), error.message()));
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

File open_new(const std::filesystem::path& path) {
  std::error_code error;
  File file = File::open(path, File::Mode::append_new, error);
  if (error == std::errc::file_exists) {
    if (!is_pipe_or_device(path)) {
      throw UsageError(fmt::format("{} exists already: choose another name, or --resume to continue it", path.string()));
    }
    file = File::open(path, File::Mode::append, error);
  }
  if (error) throw cannot("create", path, error);
  return file;
}

}  // namespace

void write_packed(const std::filesystem::path& path, std::span<const Record> records) {
  std::string text;
  for (const Record& record : records) text += line_of(record);
  const File file = open_new(path);
  if (const std::error_code error = file.write(gzip(text)))
    throw RunError(fmt::format("cannot write {}: {}", path.string(), error.message()));
}

RecordFile::RecordFile(std::filesystem::path path, File file) : path_(std::move(path)), file_(std::move(file)) {
  std::error_code error;
  regular_ = file_.is_regular(error);
  check("cannot inspect", error);
  // A second writer (two --resume at once) would mix its lines with these.
  if (regular_ && !file_.lock()) throw UsageError(fmt::format("{} is being written by another percycle", path_.string()));
}

RecordFile RecordFile::create(const std::filesystem::path& path) { return {path, open_new(path)}; }

RecordFile RecordFile::create_another(const std::filesystem::path& path) {
  constexpr unsigned kMostNames = 1000;
  std::filesystem::path name = path;
  for (unsigned i = 2; i <= kMostNames; ++i) {
    std::error_code error;
    File file = File::open(name, File::Mode::append_new, error);
    if (!error) return {name, std::move(file)};
    if (error != std::errc::file_exists) throw cannot("create", name, error);
    name = path;
    name.replace_filename(fmt::format("{}-{}{}", path.stem().string(), i, path.extension().string()));
  }
  return create(path);
}

RecordFile RecordFile::resume(const std::filesystem::path& path) {
  std::error_code error;
  File opened = File::open(path, File::Mode::append_and_read, error);
  if (error) throw cannot("open", path, error);
  RecordFile file(path, std::move(opened));
  if (file.regular_) file.drop_partial_line();
  return file;
}

void RecordFile::append(const Record& record, Durability durability) {
  const std::string line = line_of(record);

  std::error_code unknown_size;
  const std::uint64_t before = regular_ ? file_.size(unknown_size) : 0;
  if (const std::error_code error = file_.write(line)) {
    if (regular_ && !unknown_size) static_cast<void>(file_.cut(before));
    check("cannot write", error);
  }
  if (durability == Durability::machine) check("cannot flush", file_.flush());
}

void RecordFile::drop_partial_line() {
  std::array<char, 1 << 16> buffer{};
  std::error_code error;
  std::uint64_t end = file_.size(error);
  check("cannot read", error);
  const std::uint64_t size = end;
  while (end > 0) {
    const std::uint64_t start = end - std::min<std::uint64_t>(end, buffer.size());
    const std::size_t got = file_.read_at(start, {buffer.data(), static_cast<std::size_t>(end - start)}, error);
    if (!error && got != end - start) error = std::make_error_code(std::errc::io_error);
    check("cannot read", error);
    const auto newline = std::string_view(buffer.data(), got).rfind('\n');
    if (newline != std::string_view::npos) {
      end = start + newline + 1;
      break;
    }
    end = start;
  }
  if (end != size) check("cannot drop the partial last line of", file_.cut(end));
}

void RecordFile::check(const char* action, const std::error_code& error) const {
  if (error) throw RunError(fmt::format("{} {}: {}", action, path_.string(), error.message()));
}

}  // namespace percycle
