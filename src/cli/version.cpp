#include "cli/commands.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/version.hpp"
#include "store/record.hpp"

namespace percycle {
namespace {

std::string version_text() {
  const std::string_view commit = tool_commit();
  return fmt::format("percycle {}{}", tool_version(), commit.empty() ? "" : fmt::format(" ({})", commit));
}

std::string version_json() {
  nlohmann::ordered_json json{{"name", "percycle"}, {"version", tool_version()}};
  const auto add = [](nlohmann::ordered_json& object, const char* name, std::string_view value) {
    if (!value.empty()) object[name] = value;  // unknown values are absent
  };
  add(json, "commit", tool_commit());
  add(json, "date", tool_date());
  add(json, "compiler", tool_compiler());
  json["record_schema"] = kSchemaVersion;
  json["libraries"] = nlohmann::ordered_json::array();
  for (const LinkedLibrary& linked : linked_libraries()) {
    nlohmann::ordered_json library{{"name", linked.name}};
    add(library, "version", linked.version);
    library["licence"] = linked.licence;
    json["libraries"].push_back(std::move(library));
  }
  return json.dump(2);
}

}  // namespace

void add_version(CLI::App& app) {
  const auto as_json = std::make_shared<bool>(false);
  CLI::Option* json = app.add_flag("--json", *as_json, "With --version: commit, date, compiler and libraries, as JSON");
  CLI::Option* version = app.set_version_flag("-V,--version", [as_json] { return *as_json ? version_json() : version_text(); });
  json->needs(version);
}

}  // namespace percycle
