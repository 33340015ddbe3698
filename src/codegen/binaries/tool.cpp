#include "codegen/binaries/tool.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

extern char** environ;

namespace percycle {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kPatience{30};

/// How the process ended; none while it runs.
std::optional<int> ended(pid_t process) {
  int status = 0;
  return waitpid(process, &status, WNOHANG) == process ? std::optional(status) : std::nullopt;
}

int wait_for(pid_t process, const std::string& name) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  for (std::chrono::microseconds pause{200};; pause = std::min(pause * 2, std::chrono::microseconds(20000))) {
    if (const auto status = ended(process)) return *status;
    if (std::chrono::steady_clock::now() > deadline) break;
    std::this_thread::sleep_for(pause);
  }
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
  throw ToolError(fmt::format("{} did not end within {} s", name, kPatience.count()));
}

std::string first_line(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return "it says nothing";
  return text.substr(begin, text.find_first_of("\r\n", begin) - begin);
}

std::string without(std::string text, const std::string& part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) text.erase(at, part.size());
  return text;
}

/// This process's environment, with these ("NAME=value") in place of what has their names.
std::vector<std::string> with_environment(const std::vector<std::string>& other) {
  std::vector<std::string> all = other;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable = *each;
    const std::string_view name = variable.substr(0, variable.find('=') + 1);
    if (std::ranges::none_of(other, [&](const std::string& mine) { return mine.starts_with(name); })) all.emplace_back(variable);
  }
  return all;
}

/// As exec wants them.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

std::optional<fs::path> find_tool(std::string_view name) {
  std::vector<fs::path> folders;
  if (const char* path = std::getenv("PATH")) {
    std::istringstream parts(path);
    for (std::string part; std::getline(parts, part, ':');) folders.emplace_back(part);
  }
  if (const char* cuda = std::getenv("CUDA_HOME")) folders.push_back(fs::path(cuda) / "bin");
  folders.emplace_back("/usr/local/cuda/bin");
  folders.emplace_back("/opt/rocm/llvm/bin");
  for (const fs::path& folder : folders) {
    const fs::path file = folder / name;
    std::error_code error;
    if (folder.is_absolute() && fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0) return file;
  }
  return std::nullopt;
}

fs::path need_tool(std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (const auto found = find_tool(name)) return *found;
  }
  throw ToolError(fmt::format("{} is in no folder of PATH, CUDA_HOME, /usr/local/cuda or /opt/rocm", fmt::join(names, " or ")));
}

ToolOutput run_tool(const fs::path& tool, const std::vector<std::string>& arguments, const fs::path& folder,
                    const std::vector<std::string>& environment) {
  const fs::path out = folder / "stdout";
  const fs::path errors = folder / "stderr";
  std::vector<std::string> words{tool.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = with_environment(environment);
  const std::vector<char*> argv = pointers(words);
  const std::vector<char*> envp = pointers(variables);

  constexpr int kWrite = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), kWrite, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), kWrite, 0600);
  pid_t process = -1;
  const int error = posix_spawn(&process, tool.c_str(), &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  const std::string name = tool.filename().string();
  if (error != 0) throw ToolError(fmt::format("{} cannot be started: {}", name, std::strerror(error)));

  const int status = wait_for(process, name);
  ToolOutput output{bytes_of(out), bytes_of(errors)};
  if (WIFSIGNALED(status)) throw ToolError(fmt::format("{} was ended by signal {}", name, WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0) {
    const std::string& said = output.errors.empty() ? output.text : output.errors;
    throw ToolError(fmt::format("{}: {}", name, without(first_line(said), folder.string() + "/")));
  }
  return output;
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  std::string name = ((error ? fs::path("/tmp") : parent) / "percycle-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw ToolError(fmt::format("{} cannot be made: {}", name, std::strerror(errno)));
  path_ = name;
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
