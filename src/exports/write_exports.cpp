#include "exports/write_exports.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "core/error.hpp"

namespace percycle {
namespace {

namespace fs = std::filesystem;

void write_file(const fs::path& path, const std::string& text) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) throw RunError(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
}

}  // namespace

std::vector<fs::path> write_exports(const std::vector<CardExport>& cards, const fs::path& folder) {
  std::vector<fs::path> folders;
  for (const CardExport& card : cards) {
    const fs::path& place = folders.emplace_back(folder / slug_of(card.title));
    std::error_code error;
    fs::create_directories(place, error);
    if (error) throw RunError(fmt::format("cannot make {}: {}", place.string(), error.message()));
    for (const ExportedFile& file : card.files) write_file(place / file.name, file.text);
  }
  return folders;
}

}  // namespace percycle
