#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "store/impossible.hpp"
#include "store/record.hpp"

namespace percycle {

/// The bytes after the end of the last line, left by a crash or by damage of compressed data. They
/// are never read, even if they form a whole line.
struct PartialLine {
  std::size_t line = 0;     ///< line number, from 1
  std::uint64_t bytes = 0;  ///< how many there are
  std::string damage;       ///< of compressed data, a predicate such as "ends early"
};

/// A record file whose every line is valid and names a header above it.
struct LoadedFile {
  std::filesystem::path path;
  std::vector<Header> headers;
  std::vector<Entry> entries;  ///< all other lines, in order
  std::optional<PartialLine> truncated;
  bool packed = false;                 ///< gzip made the file
  std::vector<Impossible> impossible;  ///< see set_aside.hpp
};

/// Reads and checks the whole file, which gzip may have packed. Damage of packed data ends it, as a
/// crash does. Throws UsageError "FILE: MESSAGE" if it is empty or cannot be read, and "FILE:LINE:
/// MESSAGE" for damage before a partial last line, a published point under a run's header or the
/// reverse, or a schema version newer than kSchemaVersion. The path `published:NAME` stands for the
/// figures of that card that the binary has (store/published.hpp).
LoadedFile load(const std::filesystem::path& path);

/// Loads files in parallel, sets impossible points aside and hands the files over in their order,
/// with at most four in memory before they are taken. Throws the error of the first file in this
/// order that has one.
void load_each(const std::vector<std::string>& paths, const std::function<void(LoadedFile&&)>& take);

}  // namespace percycle
