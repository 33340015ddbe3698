#pragma once

#include <filesystem>
#include <system_error>

#include "platform/file.hpp"
#include "store/record.hpp"

namespace percycle {

/// What an appended line survives.
enum class Durability {
  machine,  ///< a crash of the whole machine: flushed to the disk
  process,  ///< a crash of percycle: handed to the system
};

/// A record file open for appending. Owned by one process at a time.
///
/// Each line goes out with one write() and is then flushed to the disk, before the device is touched again: the write alone
/// survives a crash of percycle, but a driver that hangs often takes the machine with it, and the `started` line is what tells
/// --resume which point did that. The flush costs about a millisecond, a point costs tens of them. A simulated device can take nothing
/// with it, and its points cost less than a flush.
class RecordFile {
 public:
  /// A new file. Throws UsageError when it exists already (a character device or pipe may exist) or cannot be made.
  static RecordFile create(const std::filesystem::path& path);

  /// An existing file, to go on with. Drops a partial last line, which is what a crash leaves. Throws UsageError when the file
  /// cannot be opened or another process is writing it.
  static RecordFile resume(const std::filesystem::path& path);

  /// Throws RunError naming the file when the line cannot be written whole; what was written of it is taken back where possible.
  /// Throws std::invalid_argument, with nothing written, for a record that loading would refuse (a number that is not finite, an
  /// ok point without a measurement, ...).
  void append(const Record& record, Durability durability = Durability::machine);

  const std::filesystem::path& path() const { return path_; }

 private:
  RecordFile(std::filesystem::path path, File file);
  void drop_partial_line();
  /// Throws RunError for an error.
  void check(const char* what, const std::error_code& error) const;

  std::filesystem::path path_;
  File file_;  ///< every line is flushed and checked in append(): closing it loses nothing
  bool regular_ = false;
};

}  // namespace percycle
