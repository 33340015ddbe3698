#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

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

const Named kFirst("first", {{"path", Type::words, {"a", "b", "c"}, "a,b,c", "paths"},
                             {"order", Type::word, {"up", "down"}, "up", "order"},
                             {"size", Type::bytes, {}, "auto", "size"},
                             {"count", Type::number, {}, "auto", "count"}});
const Named kSecond("second", {{"order", Type::word, {"up", "down"}, "down", "order"}});
const std::vector<const Experiment*> kBoth{&kFirst, &kSecond};

std::vector<Options> options(const Set& set) { return make_options(kBoth, set, Preset::quick, 9); }

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
  CHECK(all[0].values == Set{{"path", "a,b,c"}, {"order", "up"}, {"size", "auto"}, {"count", "auto"}});
  CHECK(all[1].values == Set{{"order", "down"}});
  CHECK(all[0].preset == Preset::quick);
  CHECK(all[0].seed == 9);
}

TEST_CASE("options: a plain name sets every experiment that has it; the longer name wins") {
  auto all = options({{"order", "down"}});
  CHECK(all[0].value("order") == "down");
  CHECK(all[1].value("order") == "down");
  all = options({{"second.order", "up"}});
  CHECK(all[0].value("order") == "up");
  CHECK(all[1].value("order") == "up");
  all = options({{"order", "down"}, {"second.order", "up"}});
  CHECK(all[0].value("order") == "down");
  CHECK(all[1].value("order") == "up");
}

TEST_CASE("options: values of each type") {
  CHECK(options({{"path", "c,a"}})[0].value("path") == "c,a");
  for (const char* size : {"4096", "48K", "512M", "1G", "2GiB", "auto"})
    CHECK(options({{"size", size}})[0].value("size") == size);
  for (const char* count : {"1", "32", "4294967295", "auto"}) CHECK(options({{"count", count}})[0].value("count") == count);
}

TEST_CASE("options: the error names an unknown key and the known ones") {
  CHECK(refusal({{"colour", "red"}}) ==
        "--set colour=red: no chosen experiment has a parameter 'colour' (there are: count, order, path, size)");
  CHECK(refusal({{"third.order", "up"}}) ==
        "--set third.order=up: no chosen experiment has a parameter 'third.order' (there are: count, order, path, size)");
  CHECK(refusal({{"second.size", "1K"}}) ==
        "--set second.size=1K: no chosen experiment has a parameter 'second.size' (there are: count, order, path, size)");
  CHECK(refusal({{"", "x"}}).find("no chosen experiment has a parameter ''") != std::string::npos);
}

TEST_CASE("options: an invalid value is named, with the valid ones") {
  CHECK(refusal({{"order", "sideways"}}) == "--set order=sideways: order of experiment 'first' is one of up, down");
  CHECK(refusal({{"second.order", "x"}}) == "--set order=x: order of experiment 'second' is one of up, down");
  CHECK(refusal({{"order", "up,down"}}) == "--set order=up,down: order of experiment 'first' is one of up, down");
  for (const char* path : {"d", "a,d", "a,", ",a", "", "a b", "A"}) {
    CHECK(refusal({{"path", path}}) ==
          std::string("--set path=") + path + ": path of experiment 'first' is a comma-separated list of a, b, c");
  }
  for (const char* size : {"", "big", "-1", "1.5K", "1X", "99999999999999999999", "17179869184G"}) {
    CHECK(refusal({{"size", size}}) ==
          std::string("--set size=") + size + ": size of experiment 'first' is a size in bytes (4096, 48K, 512M, 1G) or auto");
  }
  for (const char* count : {"", "0", "-1", "1.5", "3x", " 3", "4294967296", "many"}) {
    CHECK(refusal({{"count", count}}) ==
          std::string("--set count=") + count + ": count of experiment 'first' is a whole number of at least 1, or auto");
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
        CHECK(make_options(one, {{spec.name, choice}}, Preset::quick, 0)[0].value(spec.name) == choice);
      }
    }
  }
}

}  // namespace
}  // namespace percycle::options_test
