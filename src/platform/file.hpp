#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace percycle {

/// An open file or one end of a pipe. Closed on destruction and, unless passed on, in started
/// programs. Calls that a signal interrupts are repeated.
class File {
 public:
  enum class Mode {
    read,
    replace,          ///< write; the old content is lost
    append_new,       ///< write at the end of a file that must not exist yet
    append,           ///< write at the end of an existing file, pipe or device
    append_and_read,  ///< the same, and read_at()
  };
  /// The operating system's handle.
  using Native = int;

  File() = default;
  explicit File(Native native) : native_(native) {}
  static File open(const std::filesystem::path& path, Mode mode, std::error_code& error);
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();

  bool is_open() const { return native_ != kClosed; }
  Native native() const { return native_; }
  void close();

  /// Writes all bytes, normally in one system call.
  std::error_code write(std::string_view bytes) const;
  /// Reads the available bytes, waiting for the first one; 0 at the end.
  std::size_t read(std::span<char> bytes, std::error_code& error) const;

  enum class Wait { readable, timed_out, interrupted };
  /// Waits until read() would not block; a signal to this process ends the wait.
  Wait wait(std::chrono::milliseconds patience) const;

  /// Neither pipe nor device. The functions below need a file of this kind.
  bool is_regular(std::error_code& error) const;
  /// False if another process has the lock, which ends with the file. Always true on file systems
  /// without locks.
  bool lock() const;
  std::uint64_t size(std::error_code& error) const;
  std::error_code cut(std::uint64_t size) const;
  /// Flushes to the disk. Files that cannot be flushed (pipes, some file systems) are no error.
  std::error_code flush() const;
  std::size_t read_at(std::uint64_t offset, std::span<char> bytes, std::error_code& error) const;

 private:
  static constexpr Native kClosed = -1;

  Native native_ = kClosed;
};

/// The whole content of a normally small file. Throws UsageError "cannot read PATH: REASON", also
/// for more than `most` bytes.
std::string read_small_file(const std::filesystem::path& path, std::size_t most = 2'000'000);

struct Pipe {
  File output;  ///< to read from
  File input;   ///< to write to
};

/// Throws RunError.
Pipe make_pipe();

}  // namespace percycle
