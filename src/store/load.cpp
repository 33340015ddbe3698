#include "store/load.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>

#include "core/error.hpp"
#include "store/record_json.hpp"
#include "store/schema.hpp"

namespace percycle {
namespace {

/// Turns one line after the other into records. What it throws is std::invalid_argument.
class LineReader {
 public:
  explicit LineReader(LoadedFile& file) : file_(file) {}

  void read(const std::string& line) {
    const nlohmann::json json = parse(line);
    refuse_newer(json);
    if (const auto violation = schema_.violation(json)) throw std::invalid_argument(*violation);
    Record record = record_from_json(json);
    if (auto* header = std::get_if<Header>(&record)) {
      if (!ids_.insert(header->id).second) throw std::invalid_argument(fmt::format("a second header with the id {}", header->id));
      file_.headers.push_back(std::move(*header));
      return;
    }
    const std::string& id = json["header"].get_ref<const std::string&>();
    if (!ids_.contains(id)) throw std::invalid_argument(fmt::format("names the header {}, which is not above it", id));
    file_.records.push_back(std::move(record));
  }

 private:
  static nlohmann::json parse(const std::string& line) {
    if (line.empty()) throw std::invalid_argument("an empty line");
    try {
      return nlohmann::json::parse(line);
    } catch (const nlohmann::json::exception& error) {
      throw std::invalid_argument(fmt::format("not JSON: {}", error.what()));
    }
  }

  /// Before the schema, which knows nothing of what a newer version may hold.
  static void refuse_newer(const nlohmann::json& json) {
    if (!json.is_object() || json.value("kind", nlohmann::json()) != "header") return;
    const auto schema = json.find("schema");
    if (schema == json.end() || !schema->is_number_unsigned() || schema->get<std::uint64_t>() <= kSchemaVersion) return;
    throw std::invalid_argument(fmt::format("written by a newer percycle (schema {}, this one reads up to {})",
                                            schema->get<std::uint64_t>(), kSchemaVersion));
  }

  LoadedFile& file_;
  RecordSchema schema_;
  std::set<std::string, std::less<>> ids_;
};

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
  LineReader reader(file);
  std::string line;
  std::size_t number = 0;
  while (std::getline(stream, line)) {
    ++number;
    if (stream.eof()) {
      file.truncated = PartialLine{.line = number, .bytes = line.size()};
      break;
    }
    try {
      reader.read(line);
    } catch (const std::invalid_argument& error) {
      throw UsageError(fmt::format("{}:{}: {}", path.string(), number, error.what()));
    }
  }
  if (stream.bad()) throw cannot_read(path);
  if (number == 0) throw UsageError(fmt::format("{}: empty, not a record file", path.string()));
  return file;
}

}  // namespace percycle
