#pragma once

#include <map>
#include <string>

#include "toml/strict_table.hpp"

namespace percycle {

/// The table `sources` of a data file: citations by a short key. Each must be used, so that none
/// outlives its facts.
class Citations {
 public:
  /// Refers to `file`. Throws UsageError if it has no table `sources` or a citation is not a text
  /// or is blank.
  explicit Citations(const StrictTable& file);

  /// The citation that `table` names under "source". Throws if there is none.
  std::string cite(const StrictTable& table);

  /// Throws for a source that was never cited.
  void check_all_cited() const;

 private:
  struct CitedSource {
    std::string text;
    std::uint32_t line = 0;
    bool cited = false;
  };

  const StrictTable& file_;
  std::map<std::string, CitedSource> sources_;
};

}  // namespace percycle
