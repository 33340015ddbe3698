#include <fmt/format.h>
#include <windows.h>
// After windows.h.
#include <psapi.h>

#include <array>
#include <filesystem>

#include "platform/library.hpp"
#include "platform/windows_text.hpp"

namespace percycle {

const char* const kNvmlLibrary = "nvml.dll";

Library Library::opencl_loader() { return Library{"OpenCL.dll"}; }

Library::Library(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    // Not from the working folder or PATH, where anyone may leave a file.
    const DWORD here = std::filesystem::path(name).is_absolute() ? LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR : 0;
    library_ = LoadLibraryExW(wide(name).c_str(), nullptr, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS | here);
    if (library_ != nullptr) return;
    problem_ = fmt::format("{} cannot be opened (error {})", name, GetLastError());
  }
}

void* Library::symbol(const char* name) const {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library_), name));
}

std::string load_problem(const std::string& library) {
  const Library loaded{library.c_str()};
  return loaded.is_open() ? "" : loaded.problem();
}

bool has_library(std::string_view part) {
  std::array<HMODULE, 1024> modules{};
  DWORD bytes = 0;
  if (EnumProcessModules(GetCurrentProcess(), modules.data(), sizeof(modules), &bytes) == 0) return false;
  for (std::size_t i = 0; i < modules.size() && i < bytes / sizeof(HMODULE); ++i) {
    std::wstring path(MAX_PATH, L'\0');
    path.resize(GetModuleFileNameW(modules[i], path.data(), static_cast<DWORD>(path.size())));
    if (utf8(path).find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace percycle
