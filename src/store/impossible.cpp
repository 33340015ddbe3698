#include "store/impossible.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

namespace percycle {
namespace {

/// The points of a header.
std::vector<std::size_t> points_under(const NumberedLines& file, const std::string& header) {
  std::vector<std::size_t> entries;
  for (std::size_t i = 0; i < file.entries.size(); ++i) {
    const auto* point = std::get_if<PointRecord>(&file.entries[i]);
    if (point != nullptr && point->header == header) entries.push_back(i);
  }
  return entries;
}

void append(std::vector<Impossible>& all, std::vector<Impossible> some) {
  all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
}

}  // namespace

std::vector<Impossible> find_impossible(const NumberedLines& file) {
  std::vector<Impossible> found;
  std::map<std::string, const Header*> headers;
  for (std::size_t i = 0; i < file.headers.size(); ++i) {
    const Header& header = file.headers[i];
    headers[header.id] = &header;
    if (header.published()) continue;
    if (auto sentence = impossible_moment(header.created))
      found.push_back({file.header_lines[i], std::move(*sentence), points_under(file, header.id)});
  }
  for (std::size_t i = 0; i < file.entries.size(); ++i) {
    const auto* point = std::get_if<PointRecord>(&file.entries[i]);
    if (point == nullptr) continue;
    for (std::string& sentence : impossible_numbers(*headers.at(point->header), point->result))
      found.push_back({file.entry_lines[i], std::move(sentence), {i}});
  }
  append(found, overlapping_runs(file));
  append(found, falling_curves(file));
  std::ranges::stable_sort(found, {}, &Impossible::line);
  return found;
}

}  // namespace percycle
