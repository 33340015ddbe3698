#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/info.hpp"

namespace percycle {

/// The message for a driver whose library did not load, by the dynamic linker's reason; empty if
/// the library is for 32-bit programs.
std::optional<std::string> library_message(const std::string& library, const std::string& reason);

/// One problem for each driver manifest of this API that names no library, or one that does not
/// load. Loads those that the API's loader did not, so a broken driver may end the process.
std::vector<EnumerationProblem> library_problems(Api api);

}  // namespace percycle
