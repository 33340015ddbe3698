#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experiments/experiment.hpp"
#include "unit/published_files.hpp"

namespace percycle::published_figures_test {
namespace {

using published::digits;
using published::Figure;
using published::figures;

/// The factor of a printed unit; 1 if it is the statistic's own.
double factor(const std::string& printed) {
  static const std::map<std::string, double> kUnits{
      {" B", 1},       {" KB", 1024},          {" KiB", 1024}, {" MiB", 1048576}, {" GiB", 1073741824},
      {" TB/s", 1000}, {" GiB/s", 1.073741824}};
  const auto space = printed.rfind(' ');
  const auto unit = space == std::string::npos ? kUnits.end() : kUnits.find(printed.substr(space));
  return unit == kUnits.end() ? 1 : unit->second;
}

/// Cycles of one device by the text of a point's parameters, from files with this prefix.
std::map<std::string, double> cycles(const std::string& file, const std::string& device) {
  std::map<std::string, double> all;
  for (const Figure& figure : figures(file)) {
    if (figure.device() != device || !figure.median("cycles_per_op")) continue;
    CHECK(all.emplace(to_string(figure.parameters()), *figure.median("cycles_per_op")).second);
  }
  return all;
}

std::string instruction(const char* klass, const char* name, const char* optimization = "O3") {
  return fmt::format("class={} instruction={} optimization={}", klass, name, optimization);
}

TEST_CASE("published figures: each equals the printed one, in the unit of its statistic") {
  std::size_t checked = 0;
  for (const Figure& figure : figures()) {
    CAPTURE(figure.place());
    CAPTURE(to_string(figure.result->point));
    for (const auto& pair : figure.result->measurement->printed) {
      const auto& name = pair.first;
      const auto& text = pair.second;
      CAPTURE(name);
      const auto value = figure.median(name);
      if (!value) {
        const bool is_held_against = name == "limit_gb_per_s" || name == "limit_bytes_per_unit_cycle" || name == "efficiency";
        CHECK((is_held_against || text == "??? clocks not constant enough"));
        continue;
      }
      const auto slash = text.find(" / ");  // "151 / 150" of two cards: K80c's is the second
      const std::string own = slash == std::string::npos  ? text
                              : figure.device() == "K80c" ? text.substr(slash)
                                                          : text.substr(0, slash);
      REQUIRE_FALSE(digits(own).empty());
      CHECK(*value == std::stod(digits(own)) * factor(own));
      ++checked;
    }
  }
  CHECK(checked > 100);
}

TEST_CASE("published figures: they name experiments of percycle") {
  for (const Figure& figure : figures()) CHECK_MESSAGE(find_experiment(figure.experiment()) != nullptr, figure.experiment());
}

TEST_CASE("published figures: none is transcribed twice") {
  std::set<std::string> seen;
  for (const Figure& figure : figures()) {
    const auto& from = *figure.header->publication;
    const auto& clock = figure.result->measurement->clock_mhz;
    const std::string key = fmt::format("{}|{}|{}|{}|{}", from.document, from.toolchain, figure.device(),
                                        to_string(figure.result->point), clock ? clock->value : 0);
    CHECK_MESSAGE(seen.insert(key).second, key);
  }
  CHECK(seen.size() == 1481);
}

TEST_CASE("published instructions: every average of divisions is the mean of the two, cut off") {
  int averages = 0;
  for (const char* device : {"K40m", "K80c", "TITAN X", "P100", "TITAN V", "V100", "TITAN RTX"}) {
    const auto all = cycles("instructions-latencies-table-2", device);
    for (const auto& [klass, sign] : std::vector<std::pair<const char*, const char*>>{
             {"Integer Arithmetic", "{s} "}, {"Integer Arithmetic", "{u} "}, {"Floating Single Precision", ""}}) {
      const auto at = [&, &klass = klass, &sign = sign](const char* kind) {
        return all.at(instruction(klass, fmt::format("{}div ({})", sign, kind).c_str()));
      };
      CHECK(at("average") == std::floor((at("regular") + at("irregular")) / 2));
      ++averages;
    }
  }
  CHECK(averages == 7 * 3);
}

TEST_CASE("published instructions: those without a measured neighbour are the ones that no portable kernel can measure") {
  const auto& places = presentation_of("instruction-latency").published;
  std::set<std::string> alone;
  for (const Figure& figure : figures()) {
    if (figure.experiment() != "instruction-latency") continue;
    const bool has_neighbour = std::any_of(places.begin(), places.end(), [&](const PublishedPlace& place) {
      return place.published.size() == figure.parameters().size() &&
             std::all_of(place.published.begin(), place.published.end(),
                         [&](const auto& word) { return figure.parameter(word.first) == word.second; });
    });
    if (!has_neighbour) alone.insert(figure.parameter("class") + ": " + figure.parameter("instruction"));
  }
  CHECK(alone == std::set<std::string>{
                     // means of two others
                     "Floating Single Precision: div (average)", "Integer Arithmetic: {s} div (average)",
                     "Integer Arithmetic: {u} div (average)",
                     // the carry flag
                     "Multi Precision: add.cc / addc / sub.cc", "Multi Precision: mad.cc/madc", "Multi Precision: subc",
                     // results in predicates, copies, and parts or pairs of what a language has
                     ": DSET", ": DSETP", ": FSET", ": FSETP", ": ISETP", ": SEL", ": MOV", ": MOV32I", ": BFI", ": F2F", ": I2I",
                     ": XMAD",
                     // constants in the instruction
                     ": IADD32I", ": LOP32I",
                     // video instructions
                     ": VABSDIFF", ": VADD", ": VMNMX"});
}

TEST_CASE("published instructions: table III's CUDA 9.0 is table II, and CUDA 10.0 is quicker") {
  const std::map<std::string, double> cuda9{{instruction("Floating Single Precision", "div (regular)"), 123},
                                            {instruction("Floating Single Precision", "div (irregular)"), 280},
                                            {instruction("Floating Single Precision", "div (average)"), 201},
                                            {instruction("Double Precision", "div"), 159},
                                            {instruction("Integer Intrinsic", "mul64hi()"), 123},
                                            {instruction("Integer Intrinsic", "popc()"), 15},
                                            {instruction("Integer Intrinsic", "bfind() / bbrev()"), 15}};
  for (const char* device : {"TITAN V", "V100"}) {
    auto before = cycles("instructions-latencies-table-2", device);
    before[instruction("Double Precision", "div")] = before.at(instruction("Double Precision", "div (average)"));
    const auto after = cycles("instructions-latencies-table-3", device);
    CHECK(after.size() == cuda9.size());
    for (const auto& pair : after) {
      const auto& point = pair.first;
      const auto& value = pair.second;
      CAPTURE(point);
      CHECK(before.at(point) == cuda9.at(point));
      CHECK(value < cuda9.at(point));
    }
  }
}

TEST_CASE("published instructions: two cards of one generation differ in the divisions and roots of Kepler alone") {
  const auto differing = [](const char* one, const char* other) {
    const auto left = cycles("instructions-latencies-table-2", one);
    const auto right = cycles("instructions-latencies-table-2", other);
    REQUIRE(left.size() == right.size());
    std::set<std::string> names;
    for (const auto& [point, value] : left) {
      if (right.at(point) != value) names.insert(point);
    }
    return names;
  };
  CHECK(differing("TITAN V", "V100").empty());
  std::set<std::string> kepler;
  for (const char* name : {"div (regular)", "div (irregular)", "div (average)"}) {
    for (const char* level : {"O0", "O3"}) kepler.insert(instruction("Floating Single Precision", name, level));
  }
  for (const char* level : {"O0", "O3"}) {
    kepler.insert(instruction("Double Precision", "div (average)", level));
    kepler.insert(instruction("Special Mathematical", "rcp", level));
    kepler.insert(instruction("Special Mathematical", "sqrt", level));
  }
  CHECK(differing("K40m", "K80c") == kepler);
}

TEST_CASE(
    "published instructions: nothing is slower optimized than not, but single-precision division on three cards and copysign "
    "nowhere") {
  std::set<std::string> slower;
  for (const char* device : {"K40m", "K80c", "TITAN X", "P100", "TITAN V", "V100", "TITAN RTX"}) {
    const auto all = cycles("instructions-latencies-table-2", device);
    for (const auto& [point, value] : all) {
      if (!point.ends_with("O3")) continue;
      const std::string without = point.substr(0, point.size() - 2) + "O0";
      if (all.at(without) < value) slower.insert(fmt::format("{}: {}", device, point));
    }
  }
  const std::string irregular = instruction("Floating Single Precision", "div (irregular)");
  CHECK(slower == std::set<std::string>{"K40m: " + irregular, "TITAN X: " + irregular});
}

TEST_CASE("published instructions: core operations take the same cycles in the T4 report and in the other paper") {
  const auto volta = cycles("t4-report-table-4.1", "Volta");
  const auto turing = cycles("t4-report-table-4.1", "Turing");
  const auto v100 = cycles("instructions-latencies-table-2", "V100");
  const auto rtx = cycles("instructions-latencies-table-2", "TITAN RTX");
  const std::string fma = instruction("Floating Single Precision", "mul / mad / fma");
  CHECK(volta.at("instruction=FFMA") == v100.at(fma));
  CHECK(turing.at("instruction=FFMA") == rtx.at(fma));
  CHECK(volta.at("instruction=DFMA") == v100.at(instruction("Double Precision", "mul / mad / fma")));
  CHECK(volta.at("instruction=HFMA2") == v100.at(instruction("Half Precision", "fma")));
  // "double-precision instructions increased their latency above 40 cycles"
  for (const char* name : {"DADD", "DMUL", "DFMA", "DSET", "DSETP"}) CHECK(turing.at(std::string("instruction=") + name) > 40);
}

TEST_CASE("published latencies: further levels are slower; the T4 report's text") {
  for (const char* device : {"T4", "V100", "P100", "P4", "M60", "K80"}) {
    CAPTURE(device);
    const auto all = cycles("t4-report-table-3.1", device);
    for (const char* path : {"global", "constant"}) {
      double last = 0;
      for (const char* level : {"L1", "L1.5", "L2"}) {
        const auto found = all.find(fmt::format("level={} path={}", level, path));
        if (found == all.end()) continue;
        CHECK(found->second > last);
        last = found->second;
      }
    }
    CHECK(all.at("path=local") < all.at("level=L2 path=global"));
  }
  const auto at = [](const char* device) { return cycles("t4-report-table-3.1", device).at("level=L1 path=global"); };
  CHECK(at("T4") == 32);
  CHECK(at("P4") == 82);
  CHECK(at("K80") == 35);
  // The copies have lost it.
  CHECK(cycles("t4-report-table-3.1", "V100").count("level=L1 path=global") == 0);
  const auto caption = cycles("t4-report-text", "T4");
  CHECK(caption.at("level=memory path=global translation=hit") < caption.at("level=memory path=global translation=miss"));
  for (const char* device : {"K40m", "TITAN X", "P100", "V100", "TITAN RTX"}) {
    const auto all = cycles("instructions-latencies-table-4", device);
    for (const char* path : {"local", "constant"}) {
      CHECK(all.at(fmt::format("path={}", path)) < all.at(fmt::format("optimization=O0 path={}", path)));
    }
  }
}

TEST_CASE("published geometry: pages, lines and capacities fit together") {
  std::map<std::string, std::map<std::string, double>> sizes;
  for (const Figure& figure : figures("t4-report-table-3.1")) {
    CAPTURE(figure.device());
    CAPTURE(to_string(figure.parameters()));
    if (figure.experiment() == "tlb") {
      const double pages = figure.median("reach_bytes").value() / figure.median("page_bytes").value();
      CHECK(pages == std::floor(pages));
    }
    if (figure.experiment() != "geometry") continue;
    const auto size = figure.median("size_bytes");
    if (size) sizes[figure.device()][figure.parameter("path") + figure.parameter("level")] = *size;
    if (size && figure.median("sets")) {
      CHECK(*size == *figure.median("sets") * *figure.median("ways") * *figure.median("line_bytes"));
    }
  }
  CHECK(sizes.size() == 6);
  // One L2 for both.
  for (const auto& device : sizes) CHECK_MESSAGE(device.second.at("globalL2") == device.second.at("instructionL2"), device.first);
  // 7 KiB less than configured, of 96 KiB that L1 and shared memory share.
  for (const Figure& figure : figures("t4-report-table-3.3")) {
    CHECK(figure.median("size_bytes").value() + 7 * 1024 + static_cast<double>(integer(figure.parameters(), "local_bytes")) ==
          96 * 1024);
  }
}

TEST_CASE("published throughput: two warps of one scheduler share it") {
  for (const char* device : {"T4", "V100"}) {
    double most_shared = 0;
    double least_apart = 1e9;
    for (const Figure& figure : figures("t4-report-table-2.1")) {
      if (figure.device() != device) continue;
      const bool is_shared = integer(figure.parameters(), "first") % 4 == integer(figure.parameters(), "second") % 4;
      const double gops = figure.median("gops_per_s").value();
      if (is_shared) most_shared = std::max(most_shared, gops);
      if (!is_shared) least_apart = std::min(least_apart, gops);
    }
    CHECK(1.4 * most_shared < least_apart);
  }
}

TEST_CASE("published prose is marked, and the Kepler article's shares of a texture cache add up") {
  std::set<std::string> prose;
  for (const auto& [name, file] : published::files()) {
    for (const Header& header : file.headers) {
      if (header.publication->prose) prose.insert(name);
    }
  }
  CHECK(prose ==
        std::set<std::string>{"gpu-l1-article-text", "kepler-article-text", "rdna3-power-article-text", "t4-report-text"});
  int shares = 0;
  for (const Figure& figure : figures("kepler-article-text")) {
    if (figure.experiment() != "private-caches") continue;
    CHECK(figure.median("size_bytes") == 12 * 1024 * static_cast<double>(integer(figure.parameters(), "active")));
    ++shares;
  }
  CHECK(shares == 3);
}

}  // namespace
}  // namespace percycle::published_figures_test
