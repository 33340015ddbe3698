#include "cli/help_topic.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/markdown_lines.hpp"
#include "cli/plain_page.hpp"
#include "core/error.hpp"
#include "limits/close_names.hpp"

namespace percycle {
namespace {

/// Adds a line unless it is a comment.
void add_line(std::string& text, std::string_view line) {
  if (line.starts_with("<!--")) return;
  text.append(line);
  text += '\n';
}

/// The sections of a page whose heading is `heading`.
std::string sections(const DocPage& page, std::string_view heading) {
  std::string text;
  std::size_t level = 0;  // of the section being copied; 0: none
  for (const MarkdownLine& line : markdown_lines(page.text)) {
    if (line.level > 0 && line.level <= level) level = 0;
    if (line.level > 1 && level == 0 && lower_case(line.heading()) == heading) level = line.level;
    if (level > 0) add_line(text, line.text);
  }
  return text;
}

std::string whole(const DocPage& page) {
  std::string text;
  for (const MarkdownLine& line : markdown_lines(page.text)) add_line(text, line.text);
  return text;
}

/// The names of pages, and headings of one word.
std::vector<std::string> known_topics(const std::vector<DocPage>& pages) {
  std::vector<std::string> names;
  for (const DocPage& page : pages) names.push_back(page.name);
  for (const DocPage& page : pages) {
    for (const MarkdownLine& line : markdown_lines(page.text)) {
      const std::string_view heading = line.heading();
      if (!heading.empty() && heading.find(' ') == std::string_view::npos) names.push_back(lower_case(heading));
    }
  }
  return names;
}

/// The first sentence below the heading of a page, on one line.
std::string first_sentence(const DocPage& page) {
  std::string text;
  for (const auto& [line, is_fence, is_code, level] : markdown_lines(page.text)) {
    if (is_code || is_fence || level > 0 || line.starts_with("<!--") || (line.empty() && text.empty())) continue;
    if (line.empty()) break;
    text.append(text.empty() ? "" : " ").append(line);
  }
  text = plain_page(text);
  return text.substr(0, std::min(text.find(". "), text.find_last_not_of(".:\n") + 1));
}

}  // namespace

std::string topic_list(const std::vector<DocPage>& pages) {
  std::size_t width = 0;
  for (const DocPage& page : pages) width = std::max(width, page.name.size());
  std::string text;
  for (const DocPage& page : pages) {
    text += fmt::format("  {:<{}}  {}\n", page.name, width, first_sentence(page));
  }
  return text;
}

std::string help_topic(const std::vector<DocPage>& pages, const std::string& topic) {
  const std::string wanted = lower_case(topic);
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() || part.empty() ? "" : "\n") + part; };
  for (const DocPage& page : pages) add(sections(page, wanted));
  for (const DocPage& page : pages) {
    if (page.name == wanted) add(whole(page));
  }
  if (!text.empty()) return text;
  const auto close = close_names(topic, known_topics(pages));
  throw UsageError(close.empty() ? fmt::format("there is no help on '{}' (percycle help lists all topics)", topic)
                                 : fmt::format("there is no help on '{}'; there is: {}", topic, fmt::join(close, ", ")));
}

}  // namespace percycle
