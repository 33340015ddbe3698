#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "store/record.hpp"

namespace percycle {

/// The bytes after the last line's end: what a crash leaves. They are never read, even if they happen to be whole.
struct PartialLine {
  std::size_t line = 0;     ///< its number, from 1
  std::uint64_t bytes = 0;  ///< how many there are
};

/// A record file whose every line is valid and names a header above it.
struct LoadedFile {
  std::filesystem::path path;
  std::vector<Header> headers;
  std::vector<Entry> entries;  ///< all other lines, in order
  std::optional<PartialLine> truncated;
};

/// Reads and checks the whole file. Throws UsageError "FILE: what" when it cannot be read or is empty, "FILE:LINE: what" for
/// damage anywhere but in a partial last line, for a published point under a run's header or the other way round, and for a schema
/// version newer than kSchemaVersion.
LoadedFile load(const std::filesystem::path& path);

}  // namespace percycle
