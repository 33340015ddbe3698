#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "check_words.hpp"
#include "core/error.hpp"
#include "session/resume.hpp"
#include "unit/store_examples.hpp"

namespace percycle::resume_test {
namespace {

const std::string kId = "0123456789abcdef";

LoadedFile file_of(std::vector<Entry> entries) {
  LoadedFile file;
  file.path = "some/run.jsonl";
  file.headers = {examples::header()};
  file.entries = std::move(entries);
  return file;
}

Started started(std::int64_t footprint, const std::string& id = kId) { return {id, examples::point(footprint)}; }

std::string usage_error(const std::function<void()>& action) {
  try {
    action();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no UsageError";
}

TEST_CASE("resume: ended points stay; skipped and interrupted ones are open; unended ones count as failed") {
  const auto file = file_of({started(1), examples::ok(1, 5), examples::ended(2, Status::unsupported, "no"),
                             examples::ended(3, Status::skipped, "no time"), started(4), Interrupted{kId, examples::point(4)},
                             started(5), examples::ended(5, Status::failed, "crashed"), started(6),
                             examples::ended(6, Status::invalid, "wrong"), started(7)});
  const auto runs = finished_runs(file, false);
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].header.id == kId);
  CHECK(runs[0].done.size() == 4);
  for (const std::int64_t footprint : {1, 2, 5, 6}) CHECK(runs[0].done.contains(examples::point(footprint)));
  CHECK(runs[0].done.at(examples::point(1)).measurement->statistics.at("ns_per_op").median == 5);
  REQUIRE(runs[0].abandoned.size() == 1);
  CHECK(runs[0].abandoned[0].point == examples::point(7));
  CHECK_WORDS("resume.abandoned", runs[0].abandoned[0].outcome);
}

TEST_CASE("resume: published figures are no run") {
  LoadedFile file = file_of({examples::figure(1, 5)});
  file.headers = {examples::published_header()};
  CHECK_WORDS("resume.published", usage_error([&] { finished_runs(file, false); }));
}

TEST_CASE("resume: --retry opens failed and unended points, not invalid ones") {
  const auto file = file_of({examples::ok(1, 5), examples::ended(5, Status::failed, "crashed"),
                             examples::ended(6, Status::invalid, "wrong"), started(7)});
  const auto runs = finished_runs(file, true);
  CHECK(runs[0].done.size() == 2);
  CHECK(runs[0].done.contains(examples::point(1)));
  CHECK(runs[0].done.contains(examples::point(6)));
  CHECK(runs[0].abandoned.empty());
}

TEST_CASE("resume: a point that ended once and was under way again when it crashed is not tried a third time unasked") {
  const auto file = file_of({examples::ended(1, Status::skipped, "no time"), started(1)});
  const auto runs = finished_runs(file, false);
  CHECK(runs[0].done.empty());
  REQUIRE(runs[0].abandoned.size() == 1);
  CHECK(runs[0].abandoned[0].point == examples::point(1));
}

TEST_CASE("resume: the last word on a point counts") {
  const auto file = file_of({examples::ended(1, Status::failed, "crashed"), started(1), examples::ok(1, 5),
                             examples::ended(2, Status::skipped, "no time"), started(2), examples::ok(2, 6), started(3),
                             Interrupted{kId, examples::point(3)}, started(3)});
  const auto runs = finished_runs(file, true);
  CHECK(runs[0].done.at(examples::point(1)).outcome.status == Status::ok);
  CHECK(runs[0].done.at(examples::point(2)).outcome.status == Status::ok);
  CHECK(runs[0].done.size() == 2);
  const auto strict = finished_runs(file, false);
  REQUIRE(strict[0].abandoned.size() == 1);
  CHECK(strict[0].abandoned[0].point == examples::point(3));
}

TEST_CASE("resume: each header has its own points") {
  const std::string other = "00000000000000bb";
  auto file = file_of({started(1), started(1, other), examples::ok(1, 5, other), examples::ok(2, 7)});
  file.headers.push_back(examples::header(other));
  const auto runs = finished_runs(file, false);
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].done.size() == 1);
  CHECK(runs[0].done.contains(examples::point(2)));
  CHECK(runs[0].abandoned.size() == 1);
  CHECK(runs[1].header.id == other);
  CHECK(runs[1].done.size() == 1);
  CHECK(runs[1].done.contains(examples::point(1)));
  CHECK(runs[1].abandoned.empty());
}

TEST_CASE("resume: runs of different options are not one run") {
  auto file = file_of({});
  file.headers.push_back(examples::header("00000000000000bb"));
  file.headers.back().options.seed = 1;
  CHECK_WORDS("resume.different-options", usage_error([&] { finished_runs(file, false); }));
}

/// One run, and the machine on which it was made.
struct Here {
  Here() {
    DeviceInfo device;
    device.api = Api::vulkan;
    device.name = "Some GPU";
    device.vendor = "Some";
    device.type = DeviceType::gpu;
    device.driver = "580.1";
    device.uuid = "00112233445566778899aabbccddeeff";
    device.index = 3;
    device.units = Sourced<std::uint32_t>{132, Provenance::reported};
    device.memory_bytes = 85899345920;
    enumeration.devices = {device};
    runs.push_back({examples::header(), {}, {}});
    runs[0].header.device = device;
    runs[0].header.device.index = 0;  // it was elsewhere in the list
    runs[0].header.identity = "uuid:00112233445566778899aabbccddeeff";
    runs[0].header.kernels_hash = "1111111111111111";
  }

  void match() { match_devices(runs, enumeration, "1111111111111111", os); }

  std::vector<DeviceRun> runs;
  Enumeration enumeration;
  std::string os = examples::header().os;
};

TEST_CASE("resume: the same device is found again, wherever it is in the list now") {
  Here here;
  here.match();
  CHECK(here.runs[0].header.device.index == 3);
}

TEST_CASE("resume: a device that is gone, or whose silicon is another, is refused by name") {
  const std::string text = "--resume: the device 'Some GPU' through vulkan was not found";
  Here nothing;
  nothing.enumeration.devices.clear();
  CHECK(usage_error([&] { nothing.match(); }) == text);
  Here other_card;
  other_card.enumeration.devices[0].uuid = "ff112233445566778899aabbccddeeff";
  CHECK(usage_error([&] { other_card.match(); }) == text);
  Here other_api;
  other_api.enumeration.devices[0].api = Api::opencl;
  CHECK(usage_error([&] { other_api.match(); }) == text);
  Here other_name;
  other_name.enumeration.devices[0].name = "Some other GPU";
  CHECK(usage_error([&] { other_name.match(); }) == text);
}

TEST_CASE("resume: another driver is refused, both named") {
  Here here;
  here.enumeration.devices[0].driver = "590.2";
  CHECK_WORDS("resume.driver-changed", usage_error([&] { here.match(); }));
}

TEST_CASE("resume: other units or memory of the device, or another system, are refused, both named") {
  Here units;
  units.enumeration.devices[0].units->value = 64;
  CHECK_WORDS("resume.units-changed", usage_error([&] { units.match(); }));
  Here memory;
  memory.enumeration.devices[0].memory_bytes.reset();
  CHECK_WORDS("resume.memory-changed", usage_error([&] { memory.match(); }));
  Here system;
  system.os = "Windows 3.1";
  CHECK_WORDS("resume.system-changed", usage_error([&] { system.match(); }));
}

TEST_CASE("resume: other kernels are refused") {
  Here here;
  here.runs[0].header.kernels_hash = "2222222222222222";
  CHECK_WORDS("resume.kernels-changed", usage_error([&] { here.match(); }));
}

TEST_CASE("resume: a simulated device is found again by its model, whose text must be the same") {
  Here here;
  DeviceInfo& device = here.enumeration.devices[0];
  device = examples::simulated_header().device;
  here.runs[0].header = examples::simulated_header();
  here.runs[0].header.kernels_hash = "1111111111111111";
  here.match();
  device.driver = "model 8899aabbccddeeff";
  CHECK_WORDS("resume.model-changed", usage_error([&] { here.match(); }));
  device.name = "Simulated other";
  CHECK_WORDS("resume.model-changed", usage_error([&] { here.match(); }));
  device.model = "v100";
  CHECK_WORDS("resume.simulator-not-found", usage_error([&] { here.match(); }));
}

TEST_CASE("resume: two runs take two devices") {
  Here here;
  here.runs.push_back(here.runs[0]);
  CHECK_WORDS("resume.device-not-found", usage_error([&] { here.match(); }));

  Here twins;  // the same name and card through one API, e.g. two partitions that share their UUID
  twins.runs.push_back(twins.runs[0]);
  twins.enumeration.devices.push_back(twins.enumeration.devices[0]);
  twins.enumeration.devices[1].index = 4;
  twins.match();
  CHECK(twins.runs[0].header.device.index == 3);
  CHECK(twins.runs[1].header.device.index == 4);
}

}  // namespace
}  // namespace percycle::resume_test
