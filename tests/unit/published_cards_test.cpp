#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "store/published.hpp"
#include "unit/published_files.hpp"

namespace percycle::published_cards_test {
namespace {

TEST_CASE("published cards: the binary has every header and point of the files") {
  std::size_t headers = 0;
  std::size_t points = 0;
  for (const PublishedCard& card : published_cards()) {
    const LoadedFile loaded = load("published:" + card.name);
    CHECK(loaded.path == "published:" + card.name);
    headers += loaded.headers.size();
    points += loaded.entries.size();
    for (const Header& header : loaded.headers) CHECK(header.device.name == card.name);
  }
  std::size_t expected_headers = 0;
  std::size_t expected_points = 0;
  for (const auto& [name, file] : published::files()) {
    expected_headers += file.headers.size();
    expected_points += file.entries.size();
  }
  CHECK(headers == expected_headers);
  CHECK(points == expected_points);
}

TEST_CASE("published cards: each once, with documents and experiments") {
  std::set<std::string> names;
  for (const PublishedCard& card : published_cards()) {
    CAPTURE(card.name);
    CHECK(names.insert(card.name).second);
    CHECK_FALSE(card.vendor.empty());
    CHECK_FALSE(card.documents.empty());
    CHECK_FALSE(card.experiments.empty());
  }
  const auto cards = published_cards();
  const auto card = std::ranges::find(cards, "RX 6900 XT", &PublishedCard::name);
  REQUIRE(card != cards.end());
  CHECK(card->vendor == "AMD");
  CHECK(card->documents.size() == 2);
  CHECK(std::ranges::find(card->experiments, "local-bandwidth") != card->experiments.end());
}

TEST_CASE("published cards: a name in any case; an unknown one has similar names") {
  CHECK(load_published("t4").headers.size() == load_published("T4").headers.size());
  CHECK_THROWS_WITH_AS(load_published("RX 6900"), doctest::Contains("did you mean: RX 6900 XT"), UsageError);
  CHECK_THROWS_WITH_AS(load_published("Mali"), doctest::Contains("percycle list --published"), UsageError);
  CHECK_THROWS_AS(load_published(""), UsageError);
}

}  // namespace
}  // namespace percycle::published_cards_test
