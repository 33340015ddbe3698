#include "store/header_names.hpp"

#include "device/card_names.hpp"

namespace percycle {

std::map<std::string, std::string> header_names(const std::vector<const Header*>& headers) {
  std::map<std::string, std::string> names;
  std::vector<const Header*> run;
  std::vector<CardKey> keys;
  for (const Header* header : headers) {
    names[header->id] = header->device.name;
    if (header->published() || header->simulated()) continue;
    run.push_back(header);
    keys.push_back({header->device.name, header->identity, header->device.pci});
  }
  const std::vector<std::string> told_apart = card_names(keys);
  for (std::size_t i = 0; i < run.size(); ++i) names[run[i]->id] = told_apart[i];
  return names;
}

}  // namespace percycle
