#include "store/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "platform/all_cores.hpp"
#include "store/line_reader.hpp"
#include "store/record_json.hpp"
#include "store/schema.hpp"

namespace percycle {
namespace {

JsonValue parse(JsonDocument& document, std::string_view line) {
  if (line.empty()) throw std::invalid_argument("an empty line");
  try {
    return document.parse(line);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("not JSON: {}", error.what()));
  }
}

/// Before the schema, which knows nothing of what a newer version may hold.
void refuse_newer(JsonValue line) {
  const auto kind = line.find("kind");
  const auto schema = line.find("schema");
  if (!kind || !kind->is_text() || kind->text() != "header") return;
  if (!schema || !schema->is_natural() || schema->natural() <= kSchemaVersion) return;
  throw std::invalid_argument(
      fmt::format("written by a newer percycle (schema {}, this one reads up to {})", schema->natural(), kSchemaVersion));
}

/// Reads lines one after the other, each by itself.
class LineParser {
 public:
  /// Throws std::invalid_argument saying what is wrong with the line.
  Record operator()(std::string_view line) {
    const JsonValue json = parse(document_, line);
    refuse_newer(json);
    if (const auto violation = schema_.violation(json)) throw std::invalid_argument(*violation);
    return record_from_json(json);
  }

 private:
  JsonDocument document_;
  RecordSchema schema_;
};

/// What a block of lines says, up to its first bad line.
struct ReadBlock {
  std::size_t first_line = 0;
  std::vector<std::pair<std::size_t, Header>> headers;  ///< each with how many entries precede it
  std::vector<Entry> entries;
  std::string error;  ///< of the line after all these; empty when there is none
  std::size_t partial_bytes = 0;

  void operator()(Header&& header) { headers.emplace_back(entries.size(), std::move(header)); }
  template <typename T>
  void operator()(T&& entry) {
    entries.emplace_back(std::forward<T>(entry));
  }
};

ReadBlock read_block(const LineBlock& block, LineParser& parser) {
  ReadBlock read;
  read.first_line = block.first_line;
  std::string_view rest = block.text;
  try {
    for (auto end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      std::visit(read, parser(rest.substr(0, end)));
      rest.remove_prefix(end + 1);
    }
    read.partial_bytes = rest.size();
  } catch (const std::invalid_argument& error) {
    read.error = error.what();
  }
  return read;
}

/// Numbered blocks as one thread has read them.
using Share = std::vector<std::pair<std::size_t, ReadBlock>>;

/// Reads blocks until there are no more or one of them is bad: the blocks before it are being read by then.
Share read_share(LineReader& reader) {
  Share share;
  thread_local LineParser parser;  // making one takes longer than reading a short file
  while (const auto block = reader.next()) {
    share.emplace_back(block->number, read_block(*block, parser));
    if (!share.back().second.error.empty()) break;
  }
  return share;
}

/// The blocks of the whole file, or up to some block after the first bad one, in order. Checking lines takes the time, so all cores do it.
std::vector<ReadBlock> read_blocks(const std::filesystem::path& path) {
  LineReader reader(path);
  std::error_code unknown;  // of a pipe
  constexpr std::uintmax_t kBytesPerThread = 4 << 20;
  const auto useful = std::filesystem::file_size(path, unknown) / kBytesPerThread;
  const auto threads = std::clamp<std::uintmax_t>(useful, 1, useful_threads());
  std::vector<std::future<Share>> others;
  for (std::uintmax_t i = 1; i < threads; ++i) others.push_back(std::async(std::launch::async, read_share, std::ref(reader)));
  Share all = read_share(reader);
  for (auto& other : others) {
    Share share = other.get();
    std::move(share.begin(), share.end(), std::back_inserter(all));
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ReadBlock> blocks;
  blocks.reserve(all.size());
  for (auto& [number, block] : all) blocks.push_back(std::move(block));
  return blocks;
}

/// Whether the line is a point as a document has it: its statistics alone.
bool is_published(const Entry& entry) {
  const auto* point = std::get_if<PointRecord>(&entry);
  return point != nullptr && point->result.measurement && is_published(*point->result.measurement);
}

/// Takes the lines in order and checks what one line says of others.
class Collector {
 public:
  explicit Collector(LoadedFile& file) : file_(file) {}

  /// Throws UsageError naming the line that is wrong.
  void take(ReadBlock&& block) {
    line_ = block.first_line;
    std::size_t taken = 0;
    for (auto& [before, header] : block.headers) {
      while (taken < before) take(std::move(block.entries[taken++]));
      take(std::move(header));
    }
    while (taken < block.entries.size()) take(std::move(block.entries[taken++]));
    if (!block.error.empty()) fail(block.error);
    if (block.partial_bytes > 0) file_.truncated = PartialLine{.line = line_, .bytes = block.partial_bytes};
  }

 private:
  void take(Header&& header) {
    if (!published_.emplace(header.id, header.published()).second) fail(fmt::format("a second header with the id {}", header.id));
    file_.headers.push_back(std::move(header));
    ++line_;
  }
  void take(Entry&& entry) {
    const auto& id = std::visit([](const auto& any) -> const std::string& { return any.header; }, entry);
    const auto header = published_.find(id);
    if (header == published_.end()) fail(fmt::format("names the header {}, which is not above it", id));
    if (header->second && !is_published(entry))
      fail("a published header's point has statistics alone: no samples, nothing of a run");
    if (!header->second && is_published(entry)) fail("a point without samples: only a published header's has none");
    file_.entries.push_back(std::move(entry));
    ++line_;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(fmt::format("{}:{}: {}", file_.path.string(), line_, what));
  }

  LoadedFile& file_;
  std::map<std::string, bool> published_;  ///< by a header's id
  std::size_t line_ = 0;
};

}  // namespace

LoadedFile load(const std::filesystem::path& path) {
  LoadedFile file;
  file.path = path;
  auto blocks = read_blocks(path);
  if (blocks.empty()) throw UsageError(fmt::format("{}: empty, not a record file", path.string()));

  std::size_t count = 0;
  for (const auto& block : blocks) count += block.entries.size();
  file.entries.reserve(count);
  Collector collector(file);
  for (auto& block : blocks) {
    collector.take(std::move(block));
    block = {};  // its memory, before the next one is taken
  }
  return file;
}

}  // namespace percycle
