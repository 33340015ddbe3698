#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace percycle {

/// A page of the documentation.
struct DocPage {
  std::string name;  ///< file name without ".md": "faq"
  std::string_view text;
};

/// The pages with their titles, one per line.
std::string topic_list(const std::vector<DocPage>& pages);

/// The sections with the topic as heading, such as "run", then the page of that name. Throws
/// UsageError with similar names for an unknown topic.
std::string help_topic(const std::vector<DocPage>& pages, const std::string& topic);

}  // namespace percycle
