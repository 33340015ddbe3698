#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "platform/file.hpp"

namespace percycle {

/// Successive lines of a file, each with its end; only the last line of the file may have none.
struct LineBlock {
  std::size_t number = 0;      ///< of the block, from 0
  std::size_t first_line = 1;  ///< number of its first line
  std::string text;
};

/// Deals out a file, or a pipe, in blocks of about a mebibyte, so that threads can share the work and a large file need not be in memory.
class LineReader {
 public:
  /// Throws UsageError when the file cannot be opened.
  explicit LineReader(const std::filesystem::path& path);

  /// The next block; empty at the end. Throws UsageError when the file cannot be read. Thread-safe.
  std::optional<LineBlock> next();

 private:
  std::size_t read_more(std::string& text);

  std::filesystem::path path_;
  File file_;
  std::mutex mutex_;
  std::unique_ptr<char[]> read_;  ///< where the system puts what it reads: a text's own memory would be cleared first
  std::string rest_;              ///< what was read of the line that the next block begins with
  std::size_t blocks_ = 0;
  std::size_t lines_ = 0;
};

}  // namespace percycle
