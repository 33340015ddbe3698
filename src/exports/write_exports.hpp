#pragma once

#include <filesystem>
#include <vector>

#include "exports/export_card.hpp"

namespace percycle {

/// Writes the files of each card into a folder of its own and returns these folders. Throws
/// RunError.
std::vector<std::filesystem::path> write_exports(const std::vector<CardExport>& cards, const std::filesystem::path& folder);

}  // namespace percycle
