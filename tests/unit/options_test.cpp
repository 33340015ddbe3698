#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "core/error.hpp"
#include "experiments/experiment.hpp"

namespace percycle::options_test {
namespace {

class Named final : public Experiment {
 public:
  Named(std::string name, std::vector<ParameterSpec> parameters) : name_(std::move(name)), parameters_(std::move(parameters)) {}
  std::string name() const override { return name_; }
  Presentation presentation() const override { return {}; }
  std::vector<ParameterSpec> parameters() const override { return parameters_; }
  std::vector<Point> plan(const DeviceInfo&, const Options&, std::span<const PointResult>) const override { return {}; }
  std::optional<std::string> unsupported(const DeviceInfo&, const Point&) const override { return {}; }
  Trial prepare(Device&, const Point&, std::uint64_t) const override { return {}; }

 private:
  std::string name_;
  std::vector<ParameterSpec> parameters_;
};

using Set = std::map<std::string, std::string>;
using Type = ParameterSpec::Type;

const WordsParameter kPath("path", {"a", "b", "c"}, "paths");
const WordParameter kOrder("order", {"up", "down"}, "order");
const BytesParameter kSize("size", "size");
const NumberParameter kCount("count", "count");
const Named kFirst("first", {kPath, kOrder, kSize, kCount});
const Named kSecond("second", {{"order", Type::word, {"up", "down"}, "down", "order"}});
const std::vector<const Experiment*> kBoth{&kFirst, &kSecond};

std::vector<Options> options(const Set& set) { return make_options(kBoth, set, Preset::quick, 9); }

std::string behind(const std::string& start, const std::string& text) {
  CHECK(text.starts_with(start));
  return text.substr(start.size());
}

std::string refusal(const Set& set) {
  try {
    options(set);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no UsageError";
}

TEST_CASE("options: every parameter has its default where none was given") {
  const auto all = options({});
  REQUIRE(all.size() == 2);
  CHECK(all[0].values.size() == 4);
  CHECK(all[0][kPath] == std::vector<std::string>{"a", "b", "c"});
  CHECK(all[0][kOrder] == "up");
  CHECK_FALSE(all[0][kSize]);
  CHECK_FALSE(all[0][kCount]);
  CHECK(all[1].values.size() == 1);
  CHECK(all[1][kOrder] == "down");
  CHECK(all[0].preset == Preset::quick);
  CHECK(all[0].seed == 9);
}

TEST_CASE("options: a plain name sets every experiment that has it; the longer name wins") {
  auto all = options({{"order", "down"}});
  CHECK(all[0][kOrder] == "down");
  CHECK(all[1][kOrder] == "down");
  all = options({{"second.order", "up"}});
  CHECK(all[0][kOrder] == "up");
  CHECK(all[1][kOrder] == "up");
  all = options({{"order", "down"}, {"second.order", "up"}});
  CHECK(all[0][kOrder] == "down");
  CHECK(all[1][kOrder] == "up");
}

TEST_CASE("options: values of each type") {
  CHECK(options({{"path", "c,a"}})[0][kPath] == std::vector<std::string>{"c", "a"});
  CHECK(options({{"path", "c,a"}})[0].text(kPath) == "c,a");
  CHECK(options({{"size", "48K"}})[0][kSize] == 48u << 10);
  CHECK(options({{"size", "2GiB"}})[0][kSize] == 2ull << 30);
  CHECK_FALSE(options({{"size", "auto"}})[0][kSize]);
  for (const std::uint32_t count : {1u, 32u, 4294967295u}) CHECK(options({{"count", std::to_string(count)}})[0][kCount] == count);
  CHECK_FALSE(options({{"count", "auto"}})[0][kCount]);
}

TEST_CASE("options: the error names an unknown key and the known ones") {
  CHECK_WORDS("options.unknown-parameter", refusal({{"colour", "red"}}));
  CHECK_WORDS("options.unknown-parameter-of-third", refusal({{"third.order", "up"}}));
  CHECK_WORDS("options.unknown-parameter-of-second", refusal({{"second.size", "1K"}}));
  CHECK(refusal({{"", "x"}}).find("no chosen experiment has a parameter ''") != std::string::npos);
}

TEST_CASE("options: an invalid value is named, with the valid ones") {
  CHECK_WORDS("options.not-a-word", refusal({{"order", "sideways"}}));
  CHECK_WORDS("options.not-a-word-of-second", refusal({{"second.order", "x"}}));
  CHECK_WORDS("options.not-two-words", refusal({{"order", "up,down"}}));
  for (const char* path : {"d", "a,d", "a,", ",a", "", "a b", "A"}) {
    CHECK_WORDS("options.not-a-list", behind(std::string("--set path=") + path, refusal({{"path", path}})));
  }
  for (const char* size : {"", "big", "-1", "1.5K", "1X", "99999999999999999999", "17179869184G"}) {
    CHECK_WORDS("options.not-a-size", behind(std::string("--set size=") + size, refusal({{"size", size}})));
  }
  for (const char* count : {"", "0", "-1", "1.5", "3x", " 3", "4294967296", "many"}) {
    CHECK_WORDS("options.not-a-count", behind(std::string("--set count=") + count, refusal({{"count", count}})));
  }
}

TEST_CASE("options: a size of nothing is refused") {
  CHECK(refusal({{"size", "0"}}).find("--set size=0: size of experiment 'first' is a size in bytes") == 0);
  CHECK(refusal({{"size", "0K"}}).find("--set size=0K: size of experiment 'first' is a size in bytes") == 0);
}

TEST_CASE("presets: every name round-trips, others are none") {
  for (const Preset preset : {Preset::quick, Preset::standard, Preset::full}) CHECK(parse_preset(to_string(preset)) == preset);
  CHECK_FALSE(parse_preset(""));
  CHECK_FALSE(parse_preset("Quick"));
}

TEST_CASE("experiments: latency registers itself, and an unknown name is none") {
  REQUIRE(find_experiment("latency") != nullptr);
  CHECK(find_experiment("latency")->name() == "latency");
  CHECK(find_experiment("no-such") == nullptr);
  CHECK(find_experiment("") == nullptr);
  const auto& all = all_experiments();
  for (std::size_t i = 1; i < all.size(); ++i) CHECK(all[i - 1]->name() < all[i]->name());
}

TEST_CASE("experiments: every default is a value its own check takes") {
  for (const auto* experiment : all_experiments()) {
    for (const auto& spec : experiment->parameters()) {
      CAPTURE(spec.name);
      CHECK_FALSE(spec.help.empty());
      if (spec.type == Type::word) CHECK(std::count(spec.choices.begin(), spec.choices.end(), spec.default_value) == 1);
      for (const auto& choice : spec.choices) {
        const std::vector<const Experiment*> one{experiment};
        CHECK(make_options(one, {{spec.name, choice}}, Preset::quick, 0)[0].text(spec) == choice);
      }
    }
  }
}

}  // namespace
}  // namespace percycle::options_test
