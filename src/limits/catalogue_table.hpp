#pragma once

#include <toml++/toml.h>

#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace percycle {

/// The text of a data file as TOML. Throws UsageError "FILE_NAME:LINE: ..." where it is none.
toml::table parse_catalogue(std::string_view text, std::string_view file_name);

/// Where a node stands, "FILE_NAME:LINE", for messages.
std::string catalogue_position(const toml::node& node, std::string_view file_name);

/// One table of a data file, read strictly: every key that is asked for is checked, every other one refused. Each refusal is a
/// UsageError "FILE_NAME:LINE: ...". Refers to the table and the name.
class CatalogueTable {
 public:
  /// Throws where `table` has a key that is not `known`.
  CatalogueTable(const toml::table& table, std::string_view file_name, const std::vector<std::string_view>& known);

  /// Names the line of `key`, or of the table where there is no such key.
  [[noreturn]] void fail(std::string_view key, std::string_view what) const;

  std::string_view file_name() const { return file_name_; }
  bool has(std::string_view key) const { return table_.contains(key); }
  const toml::node* node(std::string_view key) const { return table_.get(key); }

  /// A text that is neither empty nor blank.
  std::string text(std::string_view key) const;
  /// text(), or an empty one where there is no such key.
  std::string optional_text(std::string_view key) const { return has(key) ? text(key) : ""; }
  /// A list of at least one text, none empty or blank.
  std::vector<std::string> texts(std::string_view key) const;
  /// A regular expression (ECMAScript, case ignored).
  std::regex pattern(std::string_view key) const;
  /// A key that only ever says "true"; false where it is absent.
  bool flag(std::string_view key) const;
  /// The tables of the array `key`; none where it is absent.
  std::vector<const toml::table*> tables(std::string_view key) const;

 private:
  const toml::table& table_;
  std::string_view file_name_;
};

/// The table `sources` of a data file: citations by a short key. Each must be cited by what follows, so that none outlives its facts.
class CatalogueSources {
 public:
  /// Throws where `file` has no table `sources`, or one of them is no text or a blank one.
  explicit CatalogueSources(const CatalogueTable& file);

  /// The citation that `table` names under "source"; throws where there is none, or no such one.
  std::string cite(const CatalogueTable& table);

  /// Throws for a source that was never cited.
  void check_all_cited() const;

 private:
  struct Source {
    std::string text;
    std::string position;
    bool cited = false;
  };

  std::map<std::string, Source> sources_;
};

}  // namespace percycle
