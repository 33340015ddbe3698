#include "experiments/atomics/parts/atomic_handover.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstring>
#include <functional>
#include <thread>

#include "check_words.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"

namespace percycle::atomic_handover_test {
namespace {

using Between = Handover::Between;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kRounds = 100;
constexpr std::uint32_t kWarm = 64;

DeviceInfo numbered_units() {
  DeviceInfo info = fake::gpu();
  info.unit_id = "by asking";
  return info;
}

/// A run of 100 rounds whose words or results are then changed; returns its outcome.
struct Judged {
  Outcome outcome;
  Words words;  ///< afterwards
};

Judged judged(const Handover& handover, const std::function<void(Words& words, Words& out)>& change) {
  fake::Script script;
  script.info = numbered_units();
  fake::FakeDevice device(script);
  Trial trial = handover_trial(device, handover);
  trial.timed.dispatch.parameters.at(trial.timed.loops_parameter) = kRounds;
  device.run(trial.timed.dispatch);
  std::vector<Words> held;
  for (const auto& binding : trial.timed.dispatch.bindings) {
    held.emplace_back(binding.buffer->bytes() / 4);
    device.read(*binding.buffer, 0, std::as_writable_bytes(std::span(held.back())), HostMemory::pinned);
  }
  change(held[0], held[1]);
  for (std::size_t i = 0; i < 2; ++i) {
    device.write(*trial.timed.dispatch.bindings[i].buffer, 0, std::as_bytes(std::span(held[i])), HostMemory::pinned);
  }
  Judged result{trial.timed.verify(device, kRounds), Words(held[0].size())};
  device.read(*trial.timed.dispatch.bindings[0].buffer, 0, std::as_writable_bytes(std::span(result.words)), HostMemory::pinned);
  return result;
}

const Handover kAll[] = {{.between = Between::lanes, .local = true},
                         {.between = Between::lanes},
                         {.between = Between::subgroups, .local = true},
                         {.between = Between::subgroups},
                         {.between = Between::unit, .first = 2},
                         {.between = Between::units, .first = 1, .second = 3},
                         {.between = Between::groups}};

TEST_CASE("hand-over: a token that came and went as often as it should is right, and the next run has a new one") {
  for (const auto& handover : kAll) {
    CAPTURE(to_string(handover));
    const auto right = judged(handover, [](Words&, Words&) {});
    CHECK_MESSAGE(right.outcome.status == Status::ok, right.outcome.reason);
    CHECK(right.words == Words(right.words.size(), 0));
  }
}

TEST_CASE("hand-over: a wrong token, too few tries or another unit are invalid") {
  for (const auto& handover : kAll) {
    CAPTURE(to_string(handover));
    const auto status = [&](const auto& change) { return judged(handover, change).outcome.status; };
    CHECK(status([](Words& words, Words&) { ++words[0]; }) == Status::invalid);
    CHECK(status([](Words&, Words& out) { out[10] = kRounds - 1; }) == Status::invalid);
    CHECK(status([](Words&, Words& out) { out[11] = kRounds - 1; }) == Status::invalid);
    const bool by_unit = handover.between == Between::unit || handover.between == Between::units;
    for (const std::size_t side : {12, 13}) {
      CHECK(status([&](Words&, Words& out) { out[side] = 7; }) == (by_unit ? Status::invalid : Status::ok));
    }
  }
}

TEST_CASE("hand-over: sides that do not meet, a stopped token and an unused unit are unsupported, with side and count") {
  const Handover units{.between = Between::units, .first = 1, .second = 3};
  for (const std::size_t side : {0, 1}) {
    const auto unseen = judged(units, [&](Words&, Words& out) { out[14 + side] = 0; });
    CHECK_WORDS("handover.no-sign", unseen.outcome);
    const auto stopped = judged(units, [&](Words&, Words& out) { out[8 + side] = kWarm + 10; });
    CHECK_WORDS("handover.no-progress", stopped.outcome);
  }
  CHECK_WORDS("handover.none-on-unit-1", judged(units, [](Words& words, Words&) { words[96] = 0; }).outcome);
  CHECK_WORDS("units.none-on-unit-3", judged(units, [](Words& words, Words&) { words[128] = 0; }).outcome);
  CHECK_WORDS("units.no-second-on-unit-2",
              judged({.between = Between::unit, .first = 2}, [](Words& words, Words&) { words[96] = 1; }).outcome);
}

TEST_CASE("hand-over: points that a device cannot even try") {
  DeviceInfo info = numbered_units();
  for (const auto& handover : kAll) CHECK_FALSE(unsupported(info, handover));
  CHECK_WORDS("handover.only-4-units", unsupported(info, {.between = Between::units, .first = 0, .second = 4}));
  info.local_memory_bytes = 0;
  CHECK_WORDS("device.no-local-memory", unsupported(info, {.between = Between::lanes, .local = true}));
  info.max_group_size = 32;
  CHECK_WORDS("device.group-size-32", unsupported(info, {.between = Between::subgroups}));
  info.unit_id.reset();
  CHECK_WORDS("device.no-unit-number", unsupported(info, {.between = Between::unit}));
  CHECK_FALSE(unsupported(info, {.between = Between::groups}));
  info = numbered_units();
  info.units.reset();
  CHECK_WORDS("device.unknown-units", unsupported(info, {.between = Between::units, .second = 1}));
}

TEST_CASE("hand-over: where loops end early, all of them together stay below the limit") {
  fake::Script script;
  script.info = numbered_units();
  script.info.max_loop_iterations = 65000;
  fake::FakeDevice device(script);
  const Trial trial = handover_trial(device, {.between = Between::groups});
  const auto& parameters = trial.timed.dispatch.parameters;
  CHECK(parameters.at("looks").word() + 2 * parameters.at("patience").word() <= 65000);
  CHECK(trial.timed.max_loops <= 65000 / 8);
  CHECK(trial.timed.dispatch.groups == 2);
  CHECK(handover_trial(device, {.between = Between::units, .second = 1}).timed.dispatch.groups == 16);
}

TEST_CASE("atomic hand-over: sides that share a core of a CPU are refused") {
  const auto refusal = [](DeviceType type, std::size_t slow_runs) {
    fake::Script script;
    script.info = numbered_units();
    script.info.type = type;
    script.after_run = [slow_runs](const Dispatch&, double, std::size_t run) {
      if (run < slow_runs) std::this_thread::sleep_for(std::chrono::milliseconds(60));
    };
    fake::FakeDevice device(script);
    Trial trial = handover_trial(device, {.between = Between::groups});
    trial.timed.dispatch.parameters.at(trial.timed.loops_parameter) = kRounds;
    device.run(trial.timed.dispatch);
    return trial.timed.verify(device, kRounds);
  };
  const Outcome in_turn = refusal(DeviceType::cpu, 100);
  CHECK(in_turn.status == Status::unsupported);
  CHECK_WORDS("atomic-handover.in-turn", in_turn.reason);
  CHECK(refusal(DeviceType::cpu, 2).status == Status::ok);  // a busy host delayed two of three runs
  CHECK(refusal(DeviceType::gpu, 100).status == Status::ok);
}

}  // namespace
}  // namespace percycle::atomic_handover_test
