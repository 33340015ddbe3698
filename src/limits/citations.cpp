#include "limits/citations.hpp"

#include <fmt/format.h>

namespace percycle {

Citations::Citations(const StrictTable& file) : file_(file) {
  const toml::table* table = file.has("sources") ? file.node("sources")->as_table() : nullptr;
  if (table == nullptr) file.fail("sources", "'sources' must be a table");
  for (const auto& [key, value] : *table) {
    const std::uint32_t line = value.source().begin.line;
    const std::string text = value.value_exact<std::string>().value_or("");
    if (text.find_first_not_of(" \t\r\n") == std::string::npos)
      file.fail_at(line, fmt::format("source '{}' must be a text", key.str()));
    sources_[std::string(key.str())] = {.text = text, .line = line};
  }
}

std::string Citations::cite(const StrictTable& table) {
  const std::string key = table.text("source");
  const auto source = sources_.find(key);
  if (source == sources_.end()) table.fail("source", fmt::format("unknown source '{}'", key));
  source->second.cited = true;
  return source->second.text;
}

void Citations::check_all_cited() const {
  for (const auto& [key, source] : sources_) {
    if (!source.cited) file_.fail_at(source.line, fmt::format("source '{}' is cited nowhere", key));
  }
}

}  // namespace percycle
