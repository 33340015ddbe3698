#include <doctest/doctest.h>

#include "presentation/headlines.hpp"

namespace percycle {
namespace {

TEST_CASE("headlines: the points of the hierarchy and of the summary's figures") {
  CHECK(is_headline({"latency", {{"path", "global"}, {"footprint", std::int64_t{1024}}}}));
  CHECK_FALSE(is_headline({"latency", {{"path", "texture"}, {"footprint", std::int64_t{1024}}}}));
  CHECK(is_headline({"l1-bandwidth", {{"path", "global"}, {"width", std::int64_t{16}}}}));
  CHECK_FALSE(is_headline({"dram-bandwidth", {{"op", "triad"}}}));
  CHECK_FALSE(is_headline({"geometry", {{"path", "global"}}}));

  const Parameters add{{"operation", "add"}, {"type", "int32"}, {"memory", "local"}, {"method", "chain"}};
  const auto lanes = [&](std::int64_t count) {
    Point point{"atomic-latency", add};
    point.parameters["lanes"] = count;
    return point;
  };
  CHECK(is_headline(lanes(1)));
  CHECK_FALSE(is_headline(lanes(32)));
}

TEST_CASE("headlines: the hierarchy first, then bandwidths, atomics, arithmetic and the others") {
  CHECK(headline_rank("latency") < headline_rank("l1-bandwidth"));
  CHECK(headline_rank("l1-bandwidth") == headline_rank("dram-bandwidth"));
  CHECK(headline_rank("dram-bandwidth") < headline_rank("atomic-latency"));
  CHECK(headline_rank("atomic-latency") < headline_rank("arithmetic-throughput"));
  CHECK(headline_rank("arithmetic-throughput") < headline_rank("launch"));
  CHECK(has_headlines("latency"));
  CHECK(has_headlines("launch"));
  CHECK_FALSE(has_headlines("geometry"));
}

}  // namespace
}  // namespace percycle
