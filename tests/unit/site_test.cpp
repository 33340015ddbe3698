#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "html/escape.hpp"
#include "platform/tool.hpp"
#include "site/site_cards.hpp"
#include "site/site_check.hpp"
#include "site/site_folder.hpp"
#include "unit/store_examples.hpp"

namespace percycle::site_test {
namespace {

LoadedFile file_of(const Header& header) {
  LoadedFile file;
  file.path = "card.jsonl";
  file.headers = {header};
  return file;
}

Header run_of_card(const std::string& id, const std::string& identity, Api api) {
  Header header = examples::header(id);
  header.identity = identity;
  header.device.vendor = "NVIDIA";
  header.device.api = api;
  return header;
}

TEST_CASE("site: a card is its silicon through both APIs, or a card of a document") {
  const LimitsCatalogue catalogue = limits_catalogue();
  SiteCards cards(catalogue, Sharer({}));
  cards.add(file_of(examples::published_header("00000000000000d0")));
  cards.add(file_of(run_of_card("000000000000000a", "uuid:a", Api::vulkan)));
  cards.add(file_of(run_of_card("000000000000000b", "uuid:b", Api::opencl)));
  cards.add(file_of(run_of_card("000000000000000c", "uuid:a", Api::opencl)));
  const auto all = cards.finish();
  REQUIRE(all.size() == 3);
  CHECK(all[0].listed.identity == "shared:000000000000000a");
  CHECK(all[0].listed.apis == std::vector<std::string>{"OpenCL", "Vulkan"});
  CHECK(all[1].listed.apis == std::vector<std::string>{"OpenCL"});
  // Cards of one name have their words.
  CHECK(all[0].listed.title == "Some GPU " + all[0].word);
  CHECK(all[0].word != all[1].word);
  CHECK(all[0].listed.slug == "some-gpu-" + all[0].word);
  CHECK(all[2].listed.title == "Some GPU (A. Author 2019)");
  CHECK(all[2].listed.source == Source::published);
  CHECK(all[2].listed.document == "A. Author: A Paper");
  CHECK(all[2].listed.identity.empty());
}

TEST_CASE("site: a card keeps its identity without a sharer, and a run is in one file") {
  const LimitsCatalogue catalogue = limits_catalogue();
  SiteCards cards(catalogue, std::nullopt);
  cards.add(file_of(run_of_card("000000000000000a", "uuid:a", Api::opencl)));
  CHECK_THROWS_AS(cards.add(file_of(run_of_card("000000000000000a", "uuid:a", Api::opencl))), UsageError);
  CHECK(cards.finish().front().listed.identity == "uuid:a");
}

TEST_CASE("site: a record without units, architecture or commit lacks them, a document lacks nothing") {
  Header header = examples::header();
  header.device.units.reset();
  header.architecture.clear();
  header.tool_commit.clear();
  const auto missing = missing_for_site(file_of(header));
  REQUIRE(missing.size() == 5);
  CHECK(
      std::set<std::string>(missing.begin(), missing.end()).contains("the number of units is unknown, so no figure is per unit"));
  CHECK(missing_for_site(file_of(examples::published_header())).empty());
  const auto of_model = missing_for_site(file_of(examples::simulated_header()));
  CHECK(of_model.front() == "it has runs of a model: a site shows silicon");
}

TEST_CASE("site: a folder writes what changed and removes what it wrote before and nobody changed since") {
  const TemporaryFolder place;
  const std::filesystem::path folder = place.path() / "site";
  const auto write = [&](const std::vector<std::pair<std::string, std::string>>& files) {
    SiteFolder site(folder);
    for (const auto& [name, text] : files) site.write(name, text);
    return site.finish();
  };
  CHECK(write({{"a/b/c.txt", "c"}, {"a/d.txt", "d"}, {"e.txt", "e"}}).written == 3);
  const SiteChanges again = write({{"a/b/c.txt", "c"}, {"a/d.txt", "new"}, {"e.txt", "e"}});
  CHECK(again.files == 3);
  CHECK(again.written == 1);
  std::ofstream(folder / "e.txt") << "mine";
  CHECK(write({{"a/d.txt", "new"}}).removed == 1);
  CHECK_FALSE(std::filesystem::exists(folder / "a" / "b"));
  CHECK(std::filesystem::exists(folder / "e.txt"));
}

TEST_CASE("site: a text cannot leave its place in HTML") {
  CHECK(html_text("<a href=\"b\">&'") == "&lt;a href=&quot;b&quot;&gt;&amp;'");
}

}  // namespace
}  // namespace percycle::site_test
