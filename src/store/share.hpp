#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "store/record.hpp"

namespace percycle {

/// Removes from records everything that identifies the card or the machine.
class Sharer {
 public:
  /// `names`: further words to remove, such as the host's name.
  explicit Sharer(std::vector<std::string> names) : names_(std::move(names)) {}

  /// The record without UUID, serial number, PCI address, paths and names. A card keeps one
  /// identity, named after its first header. Throws std::invalid_argument if the rest breaks the
  /// format.
  Record share(const Record& record);

 private:
  std::string identity(const Header& header);

  std::vector<std::string> names_;
  std::map<std::string, std::string> identities_;              ///< by the card's own
  std::map<std::pair<std::string, bool>, std::string> clean_;  ///< texts repeat from point to point
};

}  // namespace percycle
