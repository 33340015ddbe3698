#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace percycle {

/// A page of the documentation.
struct DocPage {
  std::string name;  ///< of its file without ".md": "faq"
  std::string_view text;
};

/// The pages with their titles, one per line.
std::string topic_list(const std::vector<DocPage>& pages);

/// The sections headed by the topic ("run", "latency"), then the page of that name. Throws
/// UsageError for an unknown topic, with names that come close.
std::string help_topic(const std::vector<DocPage>& pages, const std::string& topic);

}  // namespace percycle
