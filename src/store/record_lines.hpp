#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "store/gzip.hpp"

namespace percycle {

/// Reads the lines of a record file one by one, with little more than one in memory. Unpacks the
/// file if gzip made it, whatever its name is.
class RecordLines {
 public:
  /// Throws UsageError if the file cannot be read.
  explicit RecordLines(std::filesystem::path path);
  RecordLines(const RecordLines&) = delete;  // the source of packed bytes refers to the stream
  RecordLines& operator=(const RecordLines&) = delete;

  /// Reads the next line without its end; false at the end and at damage of compressed data that
  /// leaves no byte of a line. Throws std::invalid_argument for a line that is too long, UsageError
  /// if the file cannot be read.
  bool next(std::string& line);
  /// Whether the last line had an end.
  bool ends_whole() const { return ends_whole_; }

  /// The share of the file that was read so far, at least a little; packed bytes count as they are.
  double share_read();

  bool is_packed() const { return gunzip_.has_value(); }
  /// Reads to the end. A predicate of the compressed data, "ends early"; empty if it is sound.
  std::string damage();

 private:
  std::size_t read_file(std::span<char> bytes);
  void refill();

  std::filesystem::path path_;
  std::ifstream stream_;
  std::optional<Gunzip> gunzip_;
  std::array<char, 1 << 16> buffer_{};
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool ends_whole_ = true;
};

}  // namespace percycle
