#include "store/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <future>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "core/error.hpp"
#include "json/json_tree.hpp"
#include "json/parse.hpp"
#include "store/contradictions.hpp"
#include "store/published.hpp"
#include "store/record_json.hpp"
#include "store/record_lines.hpp"
#include "store/set_aside.hpp"

namespace percycle {
namespace {

/// Checked before the line is read: the content of a newer version is unknown.
void refuse_newer(const nlohmann::json& line) {
  if (!line.is_object() || line.value("kind", nlohmann::json()) != "header") return;
  const nlohmann::json schema = line.value("schema", nlohmann::json());
  if (!schema.is_number_unsigned() || schema <= kSchemaVersion) return;
  throw std::invalid_argument(
      fmt::format("written by a newer percycle (schema {}, this one reads up to {})", schema.dump(), kSchemaVersion));
}

/// Throws std::invalid_argument that names the fault of the line. `tree`: a buffer.
Record read_line(std::string_view line, JsonTree& tree) {
  if (line.empty()) throw std::invalid_argument("an empty line");
  // Most lines are plain and sound. Others are read again, with all faults named.
  if (auto record = quick_record(line, tree)) return std::move(*record);
  const nlohmann::json json = parse_json(line);
  refuse_newer(json);
  return from_json<Record>(json);
}

/// Whether the line is a point from a document: only statistics.
bool is_published(const Entry& entry) {
  const auto* point = std::get_if<PointRecord>(&entry);
  return point != nullptr && point->result.measurement && is_published(*point->result.measurement);
}

/// The names in the points of a file. Each becomes a table or a column.
class Names {
 public:
  /// Throws std::invalid_argument if a file has more names than tables can show.
  void add(const PointRecord& line) {
    add(experiments_, line.result.point.experiment, "experiments");
    for (const auto& [name, value] : line.result.point.parameters) add(parameters_, name, "parameters");
    if (!line.result.measurement) return;
    for (const auto& [name, value] : line.result.measurement->statistics) add(statistics_, name, "statistics");
    for (const auto& [name, value] : line.result.measurement->observed) add(observed_, name, "observed properties");
  }

 private:
  static constexpr std::size_t kMost = 200;

  static void add(std::set<std::string>& names, const std::string& name, std::string_view noun) {
    names.insert(name);
    if (names.size() > kMost) throw std::invalid_argument(fmt::format("more than {} {} in one file", kMost, noun));
  }

  std::set<std::string> experiments_;
  std::set<std::string> parameters_;
  std::set<std::string> statistics_;
  std::set<std::string> observed_;
};

/// Takes the lines in order and checks each against the earlier ones. Throws std::invalid_argument.
class Collector {
 public:
  explicit Collector(LoadedFile& file) : file_(file) {}

  /// Reads the line of this number. Throws std::invalid_argument that names its fault.
  void add(std::string_view line, std::size_t number) {
    number_ = number;
    std::visit(*this, read_line(line, tree_));
  }

  /// After the last line.
  void finish() {
    file_.impossible = find_impossible({file_.headers, file_.entries, std::move(header_lines_), std::move(entry_lines_)});
  }

  void operator()(Header&& header) {
    if (!headers_.emplace(header.id, file_.headers.size()).second) fail(fmt::format("a second header with the id {}", header.id));
    file_.headers.push_back(std::move(header));
    header_lines_.push_back(number_);
  }
  template <typename T>
  void operator()(T&& line) {
    const auto found = headers_.find(line.header);
    if (found == headers_.end()) fail(fmt::format("names the header {}, which is not above it", line.header));
    const Header& header = file_.headers[found->second];
    Entry entry(std::forward<T>(line));
    if (header.published() && !is_published(entry))
      fail("a point under a published header has statistics only: no samples, no other data of a run");
    if (!header.published() && is_published(entry))
      fail("a point without samples: only points under a published header have none");
    if (const auto* point = std::get_if<PointRecord>(&entry)) {
      names_.add(*point);
      check_contradictions(header, point->result);
    }
    file_.entries.push_back(std::move(entry));
    entry_lines_.push_back(number_);
  }

 private:
  [[noreturn]] static void fail(const std::string& message) { throw std::invalid_argument(message); }

  LoadedFile& file_;
  JsonTree tree_;
  std::size_t number_ = 0;  ///< of the current line
  std::vector<std::size_t> header_lines_;
  std::vector<std::size_t> entry_lines_;
  std::map<std::string, std::size_t> headers_;  ///< index of each header, by its id
  Names names_;
};

constexpr std::size_t kMostAhead = 4;  // files, of about three times their size in memory

// Entries are large: room for all at once spares moving them again and again.
constexpr std::size_t kSampledLines = 200;
constexpr std::size_t kMostRoom = 20'000;

/// Makes room for the entries of the rest of the file, whose first lines were read.
void make_room(RecordLines& lines, LoadedFile& file) {
  const double expected = static_cast<double>(file.entries.size()) / lines.share_read();
  file.entries.reserve(static_cast<std::size_t>(std::min(1.1 * expected, static_cast<double>(kMostRoom))));
}

/// Takes all lines up to the end or a partial one. Throws std::invalid_argument for a fault of the
/// line `number`.
void read_lines(RecordLines& lines, Collector& collector, LoadedFile& file, std::size_t& number) {
  for (std::string line; lines.next(line); ++number) {
    if (!lines.ends_whole()) {
      file.truncated = PartialLine{.line = number, .bytes = line.size(), .damage = {}};
      return;
    }
    collector.add(line, number);
    if (number == kSampledLines) make_room(lines, file);
  }
}

}  // namespace

LoadedFile load(const std::filesystem::path& path) {
  if (const std::string name = path.string(); name.starts_with(kPublishedPrefix))
    return load_published(std::string_view(name).substr(kPublishedPrefix.size()));
  LoadedFile file;
  file.path = path;
  RecordLines lines(path);
  file.packed = lines.is_packed();
  Collector collector(file);
  std::size_t number = 1;
  std::string fault;
  try {
    read_lines(lines, collector, file, number);
  } catch (const std::invalid_argument& error) {
    fault = error.what();
  }
  // Damage of compressed data explains a faulty line.
  if (const std::string damage = lines.damage(); !damage.empty()) {
    if (number == 1) throw UsageError(fmt::format("{}: the compressed data {}", path.string(), damage));
    file.truncated = PartialLine{.line = number, .bytes = file.truncated ? file.truncated->bytes : 0, .damage = damage};
  } else if (!fault.empty()) {
    throw UsageError(fmt::format("{}:{}: {}", path.string(), number, fault));
  }
  if (number == 1 && !file.truncated)
    throw UsageError(fmt::format("{}: the file is empty, so it is no record file", path.string()));
  collector.finish();
  return file;
}

void load_each(const std::vector<std::string>& paths, const std::function<void(LoadedFile&&)>& take) {
  const std::size_t most = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMostAhead);
  std::deque<std::future<LoadedFile>> ahead;
  std::size_t begun = 0;
  for (std::size_t taken = 0; taken < paths.size(); ++taken) {
    for (; begun < std::min(taken + most, paths.size()); ++begun)
      ahead.push_back(std::async(std::launch::async, [&path = paths[begun]] { return load_sound(path); }));
    LoadedFile file = ahead.front().get();
    ahead.pop_front();
    take(std::move(file));
  }
}

}  // namespace percycle
