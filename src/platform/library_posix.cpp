#include "platform/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

namespace percycle {

const char* const kNvmlLibrary = "libnvidia-ml.so.1";

Library Library::opencl_loader() { return Library{"libOpenCL.so.1", "libOpenCL.so"}; }

Library::Library(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    library_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library_ != nullptr) return;
    const char* reason = dlerror();
    problem_ = reason != nullptr ? reason : fmt::format("{} cannot be opened", name);
  }
}

void* Library::symbol(const char* name) const { return dlsym(library_, name); }

std::string load_problem(const std::string& library) {
  // As the loaders do: a driver may have functions that nothing calls and nothing defines.
  if (dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL) != nullptr) return {};
  const char* reason = dlerror();
  return reason != nullptr ? reason : "no reason given";
}

bool has_library(std::string_view part) {
  const auto holds_part = [](dl_phdr_info* library, std::size_t, void* wanted) {
    return std::string_view(library->dlpi_name).find(*static_cast<std::string_view*>(wanted)) != std::string_view::npos ? 1 : 0;
  };
  return dl_iterate_phdr(holds_part, &part) != 0;
}

}  // namespace percycle
