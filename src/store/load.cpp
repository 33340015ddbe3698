#include "store/load.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "json/parse.hpp"
#include "store/contradictions.hpp"
#include "store/record_json.hpp"

namespace percycle {
namespace {

/// Before the line is read: nobody knows what a newer version may hold.
void refuse_newer(const nlohmann::json& line) {
  if (!line.is_object() || line.value("kind", nlohmann::json()) != "header") return;
  const nlohmann::json schema = line.value("schema", nlohmann::json());
  if (!schema.is_number_unsigned() || schema <= kSchemaVersion) return;
  throw std::invalid_argument(
      fmt::format("written by a newer percycle (schema {}, this one reads up to {})", schema.dump(), kSchemaVersion));
}

/// Throws std::invalid_argument saying what is wrong with the line.
Record read_line(std::string_view line) {
  if (line.empty()) throw std::invalid_argument("an empty line");
  const nlohmann::json json = parse_json(line);
  refuse_newer(json);
  return from_json<Record>(json);
}

/// Whether the line is a point as a document has it: its statistics alone.
bool is_published(const Entry& entry) {
  const auto* point = std::get_if<PointRecord>(&entry);
  return point != nullptr && point->result.measurement && is_published(*point->result.measurement);
}

void check_point(const Header& header, const Entry& entry) {
  const auto* point = std::get_if<PointRecord>(&entry);
  if (point != nullptr && point->result.measurement) check_contradictions(header, *point->result.measurement);
}

/// Takes the lines in order and checks what one line says of others: throws std::invalid_argument.
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
      fail("a published header's point has statistics alone: no samples, nothing of a run");
    if (!header.published() && is_published(entry)) fail("a point without samples: only a published header's has none");
    check_point(header, entry);
    file_.entries.push_back(std::move(entry));
  }

 private:
  [[noreturn]] static void fail(const std::string& what) { throw std::invalid_argument(what); }

  LoadedFile& file_;
  std::map<std::string, std::size_t> headers_;  ///< where each is, by its id
};

UsageError cannot_read(const std::filesystem::path& path) {
  return UsageError(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
}

}  // namespace

LoadedFile load(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw cannot_read(path);
  LoadedFile file;
  file.path = path;
  Collector collector(file);
  std::size_t number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (stream.eof()) {
      file.truncated = PartialLine{.line = number, .bytes = line.size()};
      break;
    }
    try {
      std::visit(collector, read_line(line));
    } catch (const std::invalid_argument& error) {
      throw UsageError(fmt::format("{}:{}: {}", path.string(), number, error.what()));
    }
  }
  if (stream.bad()) throw cannot_read(path);
  if (number == 0) throw UsageError(fmt::format("{}: empty, not a record file", path.string()));
  return file;
}

}  // namespace percycle
