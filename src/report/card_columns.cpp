#include "report/card_columns.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/printable.hpp"
#include "store/header_names.hpp"

namespace percycle {
namespace {

std::string card_title(const Header& header, const std::string& name) {
  std::string title = printable(name);
  for (const std::string vendor : {"NVIDIA ", "AMD ", "Intel(R) "}) {
    if (title.starts_with(vendor)) title.erase(0, vendor.size());
  }
  return header.published() ? fmt::format("{} ({})", title, header.publication->year) : title;
}

std::string silicon_of(const Header& header) {
  if (header.published()) return header.publication->document + header.device.name;
  return header.simulated() ? header.device.name : header.identity;
}

void name_cpus(std::vector<KeyColumn>& columns) {
  for (KeyColumn& column : columns) {
    if (std::string name = cpu_name(column.devices.front()->header()); !name.empty()) column.title = std::move(name);
  }
}

/// Titles that several columns have, if they are documents, with their authors.
void name_authors(std::vector<KeyColumn>& columns) {
  std::map<std::string, std::size_t> titles;
  for (const KeyColumn& column : columns) ++titles[column.title];
  for (KeyColumn& column : columns) {
    const auto& publication = column.devices.front()->header().publication;
    if (!publication || titles[column.title] == 1) continue;
    column.title.insert(column.title.rfind('(') + 1, author_of(*publication) + ' ');
  }
}

}  // namespace

std::string author_of(const Publication& publication) {
  return printable(publication.document.substr(0, publication.document.find_first_of(",:(")));
}

std::string cpu_name(const Header& header) {
  static constexpr std::string_view kCpu = "cpu:";
  const bool is_cpu = header.source() == Source::measured && header.identity.starts_with(kCpu);
  return is_cpu ? printable(header.identity.substr(kCpu.size())) : std::string();
}

CardColumns card_columns(const std::vector<const ReportDevice*>& devices) {
  CardColumns cards;
  std::vector<const Header*> headers;
  for (const ReportDevice* device : devices) headers.push_back(&device->header());
  const auto names = header_names(headers);
  // A card's states through one API: the first states of both APIs share a column, and so on.
  std::map<std::tuple<std::string, std::string, Api>, std::size_t> states;
  std::map<std::tuple<std::string, std::string, std::size_t>, std::size_t> places;
  for (const ReportDevice* device : devices) {
    const Header& header = device->header();
    const std::string silicon = silicon_of(header);
    const std::string source(to_string(device->source));
    const std::size_t state = states[{source, silicon, header.device.api}]++;
    const auto [place, is_new] = places.try_emplace({source, silicon, state}, cards.columns.size());
    if (is_new) cards.columns.push_back({card_title(header, names.at(header.id)), {}});
    auto& of_card = cards.columns[place->second].devices;
    of_card.insert(header.device.api == Api::vulkan ? of_card.end() : of_card.begin(), device);
    cards.of_device.push_back(place->second);
  }
  return cards;
}

std::vector<KeyColumn> report_columns(const ReportData& data) {
  std::vector<const ReportDevice*> devices;
  for (const ReportDevice& device : data.devices) devices.push_back(&device);
  std::vector<KeyColumn> columns = card_columns(devices).columns;
  name_cpus(columns);
  name_authors(columns);
  std::set<std::string> taken;
  for (KeyColumn& column : columns) {
    const std::string title = column.title;
    for (int number = 2; !taken.insert(column.title).second; ++number) column.title = fmt::format("{}, {}", title, number);
  }
  return columns;
}

}  // namespace percycle
