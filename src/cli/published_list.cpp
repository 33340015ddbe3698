#include "cli/published_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/next_step.hpp"
#include "cli/output.hpp"
#include "report/wrap.hpp"
#include "store/published.hpp"

namespace percycle {
namespace {

/// The documents of all cards, each once.
std::vector<std::string> documents_of(const std::vector<PublishedCard>& cards) {
  std::vector<std::string> documents;
  for (const PublishedCard& card : cards) documents.insert(documents.end(), card.documents.begin(), card.documents.end());
  std::ranges::sort(documents);
  documents.erase(std::unique(documents.begin(), documents.end()), documents.end());
  return documents;
}

}  // namespace

void print_published() {
  const std::vector<PublishedCard> cards = published_cards();
  const std::vector<std::string> documents = documents_of(cards);
  std::string text;
  for (const PublishedCard& card : cards) {
    std::vector<std::ptrdiff_t> numbers;
    for (const std::string& document : card.documents)
      numbers.push_back(std::ranges::find(documents, document) - documents.begin() + 1);
    text += fmt::format("{:<8}{:<28}{} {}\n", card.vendor, card.name, fmt::join(card.experiments, ", "), numbers);
  }
  for (std::size_t i = 0; i < documents.size(); ++i) text += fmt::format("[{}] {}\n", i + 1, documents[i]);
  output("{}", wrap_lines(text, kTableColumns));
  print_next(fmt::format("percycle compare FILE \"published:{}\"", cards.front().name));
}

void print_published_json() {
  auto cards = nlohmann::json::array();
  for (const PublishedCard& card : published_cards())
    cards.push_back(
        {{"name", card.name}, {"vendor", card.vendor}, {"documents", card.documents}, {"experiments", card.experiments}});
  output("{}\n", nlohmann::json{{"published", std::move(cards)}}.dump(2));
}

}  // namespace percycle
