#pragma once

#include <map>
#include <string>

#include "toml/strict_table.hpp"

namespace percycle {

/// The table `sources` of a data file: citations by a short key. Each must be cited by what follows, so that none outlives its facts.
class Citations {
 public:
  /// Throws UsageError where `file`, which is referred to, has no table `sources`, or one of them is no text or a blank one.
  explicit Citations(const StrictTable& file);

  /// The citation that `table` names under "source"; throws where there is none, or no such one.
  std::string cite(const StrictTable& table);

  /// Throws for a source that was never cited.
  void check_all_cited() const;

 private:
  struct Source {
    std::string text;
    std::uint32_t line = 0;
    bool cited = false;
  };

  const StrictTable& file_;
  std::map<std::string, Source> sources_;
};

}  // namespace percycle
