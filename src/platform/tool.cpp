#include "platform/tool.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <fstream>
#include <sstream>
#include <utility>

#include "platform/environment.hpp"
#include "platform/tool_places.hpp"

namespace percycle {
namespace {

namespace fs = std::filesystem;

std::string first_line(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return "it says nothing";
  return text.substr(begin, text.find_first_of("\r\n", begin) - begin);
}

std::string without(std::string text, const std::string& part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) text.erase(at, part.size());
  return text;
}

/// Runs it to its end with empty stdin and its output in these files.
ProcessEnd ended(Launch launch, const fs::path& out, const fs::path& errors, std::chrono::seconds patience) {
  const std::string name = launch.program.filename().string();
  std::error_code error;
  std::array<File, 3> streams;
  const std::array<std::pair<fs::path, File::Mode>, 3> files{
      {{empty_file(), File::Mode::read}, {out, File::Mode::replace}, {errors, File::Mode::replace}}};
  for (std::size_t i = 0; i < files.size() && !error; ++i) streams[i] = File::open(files[i].first, files[i].second, error);
  if (error) throw ToolError(fmt::format("{} cannot be started: {}", name, error.message()));
  launch.input = &streams[0];
  launch.output = &streams[1];
  launch.errors = &streams[2];
  try {
    Process process(launch);
    if (const auto end = process.wait(patience)) return *end;
  } catch (const std::system_error& reason) {
    throw ToolError(fmt::format("{} cannot be started: {}", name, reason.code().message()));
  }
  throw ToolError(fmt::format("{} did not end within {} s", name, patience.count()));
}

}  // namespace

std::optional<fs::path> find_tool(std::string_view name) {
  std::vector<fs::path> folders = split_paths(environment_variable("PATH").value_or(""));
  if (const auto cuda = environment_variable("CUDA_HOME")) folders.push_back(fs::path(*cuda) / "bin");
  for (const fs::path& folder : usual_tool_folders()) folders.push_back(folder);
  for (const fs::path& folder : folders) {
    const fs::path file = folder / program_file(name);
    if (folder.is_absolute() && is_program(file)) return file;
  }
  return std::nullopt;
}

fs::path need_tool(std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    if (const auto found = find_tool(name)) return *found;
  }
  throw ToolError(fmt::format("{} is in no folder of {}", fmt::join(names, " or "), kToolFolders));
}

std::optional<fs::path> find_in(const std::vector<fs::path>& folders, std::string_view beginning) {
  for (const fs::path& folder : folders) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (entry.path().filename().string().starts_with(beginning)) return entry.path();
    }
  }
  return std::nullopt;
}

ToolOutput run_tool(const fs::path& tool, const std::vector<std::string>& arguments, const fs::path& folder,
                    const Environment& environment, std::chrono::seconds patience) {
  const fs::path out = folder / "stdout";
  const fs::path errors = folder / "stderr";
  const std::string name = tool.filename().string();
  const ProcessEnd end =
      ended({.program = tool, .name = tool.string(), .arguments = arguments, .environment = environment}, out, errors, patience);
  const ToolOutput output{bytes_of(out), bytes_of(errors)};
  if (end.killed) throw ToolError(fmt::format("{} was {}", name, end.text()));
  if (end.number != 0) {
    const std::string& said = output.errors.empty() ? output.text : output.errors;
    throw ToolError(fmt::format("{}: {}", name, without(first_line(said), (folder / "").string())));
  }
  return output;
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  path_ = make_temporary_folder(error);
  if (error) throw ToolError(fmt::format("{} cannot be made: {}", path_.string(), error.message()));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path TemporaryFolder::write(std::string_view name, std::string_view bytes) const {
  const fs::path path = path_ / name;
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.flush();
  if (!file) throw ToolError(path.filename().string() + " cannot be written");
  return path;
}

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  if (!file.is_open()) throw ToolError(path.filename().string() + " cannot be read");
  return bytes.str();
}

}  // namespace percycle
