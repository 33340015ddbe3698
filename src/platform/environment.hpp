#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace percycle {

/// A variable of this process's environment; empty if it is not set.
std::optional<std::string> environment_variable(const char* name);

/// Sets it, also for programs started later.
void set_environment_variable(const char* name, const std::string& value);

/// Between the paths of a list such as PATH.
extern const char kPathSeparator;

/// The parts of a list such as PATH; empty ones are left out.
std::vector<std::filesystem::path> split_paths(std::string_view list);

}  // namespace percycle
