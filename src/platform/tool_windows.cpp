#include <windows.h>

#include <random>

#include <fmt/format.h>

#include "platform/environment.hpp"
#include "platform/tool_places.hpp"

namespace percycle {

namespace fs = std::filesystem;

std::vector<fs::path> usual_tool_folders() {
  std::vector<fs::path> folders;
  for (const char* root : {"CUDA_PATH", "HIP_PATH"}) {  // set by the installers
    if (const auto folder = environment_variable(root)) folders.push_back(fs::path(*folder) / "bin");
  }
  return folders;
}

const std::string_view kToolFolders = "PATH, CUDA_HOME, CUDA_PATH or HIP_PATH";

std::string program_file(std::string_view name) { return std::string(name) + ".exe"; }

bool is_program(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error);
}

fs::path empty_file() { return "NUL"; }

fs::path make_temporary_folder(std::error_code& error) {
  // The user's folder for temporary files, which others cannot read.
  const fs::path parent = fs::temp_directory_path(error);
  if (error) return parent;
  std::random_device random;
  const fs::path folder = parent / fmt::format("percycle-{:08x}{:08x}", random(), random());
  if (!fs::create_directory(folder, error) && !error) error = std::make_error_code(std::errc::file_exists);
  return folder;
}

}  // namespace percycle
