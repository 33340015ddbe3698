#pragma once

#include <filesystem>
#include <span>
#include <system_error>

#include "platform/file.hpp"
#include "store/record.hpp"

namespace percycle {

/// The kind of crash that an appended line survives.
enum class Durability {
  machine,  ///< a crash of the whole machine: flushed to the disk
  process,  ///< a crash of percycle: handed to the system
};

/// A record file open for appending, owned by one process at a time. Each line is flushed to the
/// disk before the device is used again: a hanging driver often crashes the machine, and the
/// `started` line names the point for --resume. The flush takes about 1 ms, a point tens of ms.
class RecordFile {
 public:
  /// Creates a file. Throws UsageError if it exists already (a character device or pipe may exist)
  /// or cannot be created.
  static RecordFile create(const std::filesystem::path& path);

  /// The same with the first name that does not exist: `path`, else with "-2", "-3", ... before its
  /// extension. Runs that begin in one second each get a file.
  static RecordFile create_another(const std::filesystem::path& path);

  /// Opens an existing file to continue it. Drops a partial last line, which a crash leaves. Throws
  /// UsageError if the file cannot be opened or another process is writing it.
  static RecordFile resume(const std::filesystem::path& path);

  /// Throws RunError naming the file if the line cannot be written whole; takes back a part of it
  /// if possible. Throws std::invalid_argument, with nothing written, for a record that load()
  /// would refuse (a number that is not finite, an ok point without a measurement, ...).
  void append(const Record& record, Durability durability = Durability::machine);

  const std::filesystem::path& path() const { return path_; }

 private:
  RecordFile(std::filesystem::path path, File file);
  void drop_partial_line();
  /// Throws RunError if `error` is set.
  void check(const char* action, const std::error_code& error) const;

  std::filesystem::path path_;
  /// Each line is flushed and checked in append(): closing the file loses nothing.
  File file_;
  bool regular_ = false;
};

/// Writes a whole file that gzip can unpack. Throws as RecordFile::create() and append() do.
void write_packed(const std::filesystem::path& path, std::span<const Record> records);

}  // namespace percycle
