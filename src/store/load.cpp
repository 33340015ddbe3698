#include "store/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "store/record_json.hpp"
#include "store/schema.hpp"

namespace percycle {
namespace {

nlohmann::json parse(const std::string& line) {
  if (line.empty()) throw std::invalid_argument("an empty line");
  try {
    return nlohmann::json::parse(line);
  } catch (const nlohmann::json::exception& error) {
    throw std::invalid_argument(fmt::format("not JSON: {}", error.what()));
  }
}

/// Before the schema, which knows nothing of what a newer version may hold.
void refuse_newer(const nlohmann::json& json) {
  if (!json.is_object() || json.value("kind", nlohmann::json()) != "header") return;
  const auto schema = json.find("schema");
  if (schema == json.end() || !schema->is_number_unsigned() || schema->get<std::uint64_t>() <= kSchemaVersion) return;
  throw std::invalid_argument(fmt::format("written by a newer percycle (schema {}, this one reads up to {})",
                                          schema->get<std::uint64_t>(), kSchemaVersion));
}

/// A line by itself: its record and the header it names, or what is wrong with it.
struct ReadLine {
  std::optional<Record> record;
  std::string header;  ///< id of a header, or that a record names
  std::string error;
};

ReadLine read_line(const std::string& line, RecordSchema& schema) {
  try {
    const nlohmann::json json = parse(line);
    refuse_newer(json);
    if (auto violation = schema.violation(json)) return {std::nullopt, {}, std::move(*violation)};
    Record record = record_from_json(json);
    const auto* header = std::get_if<Header>(&record);
    std::string id = header != nullptr ? header->id : json["header"].get<std::string>();
    return {std::move(record), std::move(id), {}};
  } catch (const std::invalid_argument& error) {
    return {std::nullopt, {}, error.what()};
  }
}

/// Reads all lines, on all cores: a large file's time goes into checking each line by the schema.
std::vector<ReadLine> read_lines(const std::vector<std::string>& lines) {
  constexpr std::size_t kFewestPerThread = 256;
  const std::size_t threads =
      std::clamp<std::size_t>(lines.size() / kFewestPerThread, 1, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<ReadLine> read(lines.size());
  const auto part = [&](std::size_t which) {
    RecordSchema schema;
    for (std::size_t i = which; i < lines.size(); i += threads) read[i] = read_line(lines[i], schema);
  };
  std::vector<std::future<void>> others;
  for (std::size_t which = 1; which < threads; ++which) others.push_back(std::async(std::launch::async, part, which));
  part(0);
  for (auto& other : others) other.get();
  return read;
}

UsageError cannot_read(const std::filesystem::path& path) {
  return UsageError(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
}

}  // namespace

LoadedFile load(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw cannot_read(path);

  LoadedFile file;
  file.path = path;
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (stream.eof()) {
      file.truncated = PartialLine{.line = lines.size() + 1, .bytes = line.size()};
      break;
    }
    lines.push_back(std::move(line));
  }
  if (stream.bad()) throw cannot_read(path);
  if (lines.empty() && !file.truncated) throw UsageError(fmt::format("{}: empty, not a record file", path.string()));

  std::set<std::string> ids;
  auto read = read_lines(lines);
  for (std::size_t i = 0; i < read.size(); ++i) {
    auto& [record, id, error] = read[i];
    const bool is_header = record && std::holds_alternative<Header>(*record);
    if (is_header && !ids.insert(id).second) error = fmt::format("a second header with the id {}", id);
    if (record && !is_header && !ids.contains(id)) error = fmt::format("names the header {}, which is not above it", id);
    if (!error.empty()) throw UsageError(fmt::format("{}:{}: {}", path.string(), i + 1, error));
    if (is_header) {
      file.headers.push_back(std::move(std::get<Header>(*record)));
    } else {
      file.records.push_back(std::move(*record));
    }
  }
  return file;
}

}  // namespace percycle
