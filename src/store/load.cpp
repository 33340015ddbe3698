#include "store/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <deque>
#include <fstream>
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
#include "json/parse.hpp"
#include "store/contradictions.hpp"
#include "store/record_json.hpp"

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

/// Throws std::invalid_argument that names the fault of the line.
Record read_line(std::string_view line) {
  if (line.empty()) throw std::invalid_argument("an empty line");
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

  void operator()(Header&& header) {
    if (!headers_.emplace(header.id, file_.headers.size()).second) fail(fmt::format("a second header with the id {}", header.id));
    file_.headers.push_back(std::move(header));
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
  }

 private:
  [[noreturn]] static void fail(const std::string& message) { throw std::invalid_argument(message); }

  LoadedFile& file_;
  std::map<std::string, std::size_t> headers_;  ///< index of each header, by its id
  Names names_;
};

/// Reads the lines of a stream one by one, with at most kLongestLine in memory.
class StreamLines {
 public:
  explicit StreamLines(std::istream& stream) : stream_(stream) {}

  /// Reads the next line without its end; false at the end. Throws std::invalid_argument for a line
  /// that is too long.
  bool next(std::string& line) {
    line.clear();
    for (;;) {
      if (begin_ == end_) {
        begin_ = 0;
        stream_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
        end_ = static_cast<std::size_t>(stream_.gcount());
        if (end_ == 0) {
          ends_whole_ = line.empty();
          return !line.empty();
        }
      }
      const std::string_view rest(buffer_.data() + begin_, end_ - begin_);
      const std::size_t length = std::min(rest.find('\n'), rest.size());
      if (line.size() + length > kLongestLine)
        throw std::invalid_argument(fmt::format("a line of more than {} MB: not a record", kLongestLine / 1'000'000));
      line.append(rest.substr(0, length));
      begin_ += std::min(length + 1, rest.size());
      if (length < rest.size()) return true;
    }
  }
  /// Whether the last line had an end.
  bool ends_whole() const { return ends_whole_; }

 private:
  static constexpr std::size_t kLongestLine = 64'000'000;

  std::istream& stream_;
  std::array<char, 1 << 16> buffer_{};
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool ends_whole_ = true;
};

constexpr std::size_t kMostAhead = 4;  // files, of about three times their size in memory

/// The first bytes of a file that gzip made.
constexpr std::string_view kGzipMark = "\x1f\x8b";

UsageError cannot_read(const std::filesystem::path& path) {
  if (path.empty()) return UsageError("the name of a record file is empty");
  return UsageError(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
}

}  // namespace

LoadedFile load(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw cannot_read(path);
  LoadedFile file;
  file.path = path;
  Collector collector(file);
  StreamLines lines(stream);
  std::size_t number = 1;
  try {
    for (std::string line; lines.next(line); ++number) {
      if (number == 1 && line.starts_with(kGzipMark))
        throw UsageError(fmt::format("{} is compressed: unpack it first (gunzip -k)", path.string()));
      if (!lines.ends_whole()) {
        file.truncated = PartialLine{.line = number, .bytes = line.size()};
        break;
      }
      std::visit(collector, read_line(line));
    }
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("{}:{}: {}", path.string(), number, error.what()));
  }
  if (stream.bad()) throw cannot_read(path);
  if (number == 1 && !file.truncated)
    throw UsageError(fmt::format("{}: the file is empty, so it is no record file", path.string()));
  return file;
}

void load_each(const std::vector<std::string>& paths, const std::function<void(LoadedFile&&)>& take) {
  const std::size_t most = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMostAhead);
  std::deque<std::future<LoadedFile>> ahead;
  std::size_t begun = 0;
  for (std::size_t taken = 0; taken < paths.size(); ++taken) {
    for (; begun < std::min(taken + most, paths.size()); ++begun)
      ahead.push_back(std::async(std::launch::async, [&path = paths[begun]] { return load(path); }));
    LoadedFile file = ahead.front().get();
    ahead.pop_front();
    take(std::move(file));
  }
}

}  // namespace percycle
