#include "store/set_aside.hpp"

#include <variant>

namespace percycle {

void set_aside_impossible(LoadedFile& file) {
  for (const Impossible& found : file.impossible) {
    for (const std::size_t entry : found.entries) {
      PointResult& result = std::get<PointRecord>(file.entries[entry]).result;
      if (result.outcome.status != Status::ok || !result.measurement) continue;
      result.outcome = {Status::invalid, found.sentence};
      result.measurement->statistics.clear();
    }
  }
}

LoadedFile load_sound(const std::filesystem::path& path) {
  LoadedFile file = load(path);
  set_aside_impossible(file);
  return file;
}

}  // namespace percycle
