#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "store/record.hpp"

namespace percycle {

/// Removes from records everything that identifies the card or the machine.
class Sharer {
 public:
  /// `names`: further words to remove in any case, such as the host's name.
  explicit Sharer(std::vector<std::string> names);

  /// The record without UUID, PCI address and paths, and each free text up to its first word that
  /// known_part() does not know. A card keeps one identity, named after its first header. Records
  /// of documents stay as they are. Throws std::invalid_argument if the rest breaks the format.
  Record share(const Record& record);

  /// The free texts that are left; numbers are 0.
  const std::set<std::string>& texts() const { return texts_; }
  /// Number of different texts that were cut.
  std::size_t cut() const { return cut_; }

 private:
  enum class TextKind { free, name, system };

  Header shared_header(Header header);
  std::string shared_text(const std::string& text, TextKind kind);
  void share_texts(nlohmann::json& json, TextKind kind);

  std::vector<std::string> names_;
  std::set<std::string> published_;                ///< runs
  std::map<std::string, std::string> identities_;  ///< by the card's own
  /// Texts repeat from point to point.
  std::map<std::pair<std::string, TextKind>, std::string> done_;
  std::set<std::string> texts_;
  std::size_t cut_ = 0;
};

/// Whether the record is a point of a chip map: it tells one card from others of its model.
bool maps_chip(const Record& record);

}  // namespace percycle
