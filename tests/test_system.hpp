#pragma once

#include <cstdint>
#include <functional>
#include <string>

/// The tests' part of src/platform/: test_system_posix.cpp or test_system_windows.cpp.
namespace percycle::test_system {

void unset_variable(const char* name);

/// Ends this process by an access to memory that it does not have.
[[noreturn]] void crash();
/// The end of a process by crash(), and by Process::kill().
extern const char* const kCrashed;
extern const char* const kKilled;

/// Why the C library does not read a folder as a file.
extern const char* const kIsFolder;

/// A library that every process has loaded; it has abs().
extern const char* const kRuntimeLibrary;

/// Whether a text that starts with "#!/bin/sh" is a program.
extern const bool kScriptsArePrograms;
/// Whether a file's name may have a colon, as sysfs has in its names.
extern const bool kNamesMayHaveColons;

/// Whether FileSizeLimit works.
extern const bool kLimitsFileSizes;
/// Keeps every file of this process below `bytes`, until the end of its scope.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(std::uint64_t bytes);
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit();

 private:
  std::uint64_t before_ = 0;
};

/// The most memory that this process has had at a time.
std::uint64_t peak_memory_kib();

/// The output of `action` to stderr.
std::string stderr_of(const std::function<void()>& action);

}  // namespace percycle::test_system
