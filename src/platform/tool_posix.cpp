#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "platform/tool_places.hpp"

namespace percycle {

namespace fs = std::filesystem;

std::vector<fs::path> usual_tool_folders() { return {"/usr/local/cuda/bin", "/opt/rocm/llvm/bin"}; }

const std::string_view kToolFolders = "PATH, CUDA_HOME, /usr/local/cuda or /opt/rocm";

std::string program_file(std::string_view name) { return std::string(name); }

bool is_program(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
}

fs::path empty_file() { return "/dev/null"; }

fs::path make_temporary_folder(std::error_code& error) {
  const fs::path parent = fs::temp_directory_path(error);
  std::string name = ((error ? fs::path("/tmp") : parent) / "percycle-XXXXXX").string();
  error = mkdtemp(name.data()) == nullptr ? std::error_code(errno, std::generic_category()) : std::error_code();
  return name;
}

}  // namespace percycle
