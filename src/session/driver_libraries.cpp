#include "session/driver_libraries.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "core/error.hpp"
#include "platform/file.hpp"
#include "platform/library.hpp"
#include "session/manifests.hpp"

namespace percycle {
namespace {

/// The library that is not there, by glibc's words; empty for another reason.
std::string missing_library(std::string_view reason) {
  constexpr std::string_view kMissing = ": cannot open shared object file: No such file or directory";
  return reason.ends_with(kMissing) ? std::string(reason.substr(0, reason.size() - kMissing.size())) : "";
}

/// The message for one manifest; empty for a sound one, and for one that cannot be read.
std::optional<std::string> message(Api api, const std::string& manifest) {
  // Others are libraries themselves, or names that hide all drivers.
  const bool is_manifest = manifest.ends_with(api == Api::opencl ? ".icd" : ".json");
  std::error_code error;
  if (!is_manifest || !std::filesystem::is_regular_file(manifest, error)) return std::nullopt;
  std::string text;
  try {
    text = read_small_file(manifest);
  } catch (const UsageError& unreadable) {
    return unreadable.what();
  }
  const auto library = library_of(api, manifest, text);
  if (!library) return std::nullopt;
  if (library->empty()) return "names no library: install that driver again, or remove this file";
  const std::string reason = load_problem(*library);
  return reason.empty() ? std::nullopt : library_message(*library, reason);
}

}  // namespace

std::optional<std::string> library_message(const std::string& library, const std::string& reason) {
  if (reason.find("wrong ELF class") != std::string::npos) return std::nullopt;
  const std::string missing = missing_library(reason);
  if (missing.empty())
    return fmt::format("its library {} does not load: {}; install that driver for this system", library, reason);
  if (missing == library)
    return fmt::format("its library {} is missing: install that driver again, or remove this file", library);
  return fmt::format("its library {} needs {}, which is missing: install the package that has it", library, missing);
}

std::vector<EnumerationProblem> library_problems(Api api) {
  std::vector<EnumerationProblem> problems;
  for (const std::string& manifest : driver_manifests(api)) {
    if (auto text = message(api, manifest)) problems.push_back({api, manifest, *std::move(text)});
  }
  return problems;
}

}  // namespace percycle
