#include "measure/timer_check.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "expected/alu_chain.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "measure/caching_device.hpp"
#include "measure/measurer.hpp"
#include "measure/timer_fault.hpp"
#include "unit/brief_measurements.hpp"

namespace percycle::timer_check_test {
namespace {

using Change = std::function<double(double device_ns)>;

Timing dispatch(double ns, double launch_ns, const Change& change) { return {ns + launch_ns, change(ns)}; }

/// Four dispatches of 1 and of 16 ms, whose launches take 50 to 200 us.
TimerSlope slope(const Change& change) {
  std::vector<Timing> few, many;
  for (const double launch : {120e3, 50e3, 200e3, 60e3}) {
    few.push_back(dispatch(1e6 + launch / 100, launch, change));
    many.push_back(dispatch(16e6 + launch / 100, launch, change));
  }
  return timer_slope({.few_loops = 100, .many_loops = 1600, .few = few, .many = many});
}

std::string fault(const Change& change) { return slope_fault(slope(change), slope(change)); }

Point latency_point() {
  return {"latency",
          {{"path", std::string("global")},
           {"form", std::string("pointer")},
           {"lanes", std::string("1")},
           {"order", std::string("random")},
           {"stride", std::int64_t{128}},
           {"footprint", std::int64_t{4096}}}};
}

/// A device whose timer is wrong by `change`, and which ends loops after `most` turns.
struct Checked {
  explicit Checked(const Change& change, std::uint64_t most = UINT64_MAX) {
    fake::Script script;
    script.operation_ns = 0.5;
    script.timing = [&, change](Timing timing, std::size_t run) {
      ++runs;
      if (timing.device_ns && run > wrong_after && run <= right_after) timing.device_ns = change(*timing.device_ns);
      timing.host_ns += held_up_ns(run);
      return timing;
    };
    script.after_run = [most](const Dispatch& dispatch, double, std::size_t) {
      if (!dispatch.parameters.contains("start") || dispatch.parameters.at("loops").word() <= most) return;
      fake::contents(dispatch.bindings.front())[0] ^= std::byte{0x10};
    };
    auto inner = std::make_unique<CorrectedDevice>(std::make_unique<fake::FakeDevice>(script));
    corrected = inner.get();
    device = std::make_unique<CachingDevice>(std::move(inner));
    check.emplace(*device, *corrected);
  }

  PointResult measure() {
    if (!measurer) {
      measurer.emplace(*device, stop);
      measurer->use(*check);
    }
    return measurer->measure(*find_experiment("latency"), latency_point(), examples::brief_protocol(), 42).result;
  }

  std::size_t runs = 0;
  std::size_t wrong_after = 0;
  std::size_t right_after = SIZE_MAX;
  /// Host time that other programs add.
  std::function<double(std::size_t run)> held_up_ns = [](std::size_t) { return 0; };
  const std::atomic<bool> stop{false};
  CorrectedDevice* corrected = nullptr;
  std::unique_ptr<Device> device;
  std::optional<TimerCheck> check;
  std::optional<Measurer> measurer;
};

double right(double ns) { return ns; }
double tenth(double ns) { return 0.1 * ns; }

}  // namespace

TEST_CASE("timer slope: a right timer has the host's rate, whatever the launch costs") {
  CHECK(slope(right).rate == doctest::Approx(1).epsilon(1e-3));
  CHECK(is_sound(slope(right)));
  CHECK(is_sound(slope([](double ns) { return ns + 20e3; })));  // the launch counts as device time
  CHECK(fault(right).empty());
}

TEST_CASE("timer slope: a timer too fast or too slow is named with its rate") {
  for (const double factor : {0.1, 0.9, 1.1, 1.9, 10.0, 1 / 24.0, 24.0}) {
    CAPTURE(factor);
    const auto wrong = [factor](double ns) { return factor * ns; };
    CHECK(slope(wrong).rate == doctest::Approx(factor).epsilon(0.02));
    CHECK_FALSE(fault(wrong).empty());
  }
  CHECK(fault([](double ns) { return 0.97 * ns; }).empty());
  CHECK_WORDS("timer-fault.rate", fault(tenth));
  // Disturbed: not alike.
  CHECK(slope_fault(slope(tenth), slope([](double ns) { return 0.5 * ns; })).empty());
  CHECK(slope_fault(slope(tenth), slope(right)).empty());
  const auto at = [](double rate) { return TimerSlope{.rate = rate, .at_zero_ns = 0, .host_at_zero_ns = 0, .few_ns = 1e6}; };
  // The noise of a slow timer is the host's.
  CHECK_FALSE(slope_fault(at(0.024), at(0.034)).empty());
  CHECK(slope_fault(at(0.024), at(0.074)).empty());
}

TEST_CASE("timer slope: an end that is early by a constant is found") {
  const auto early = [](double ns) { return ns - 0.5e6; };
  CHECK(slope(early).rate == doctest::Approx(1).epsilon(1e-3));
  CHECK_WORDS("timer-fault.early-end", fault(early));
  CHECK(fault([](double ns) { return ns - 20e3; }).empty());
}

TEST_CASE("timer slope: a disturbance that bends the lines of host and device proves nothing") {
  std::vector<Timing> few, many;
  for (int i = 0; i < 4; ++i) {
    few.push_back({1.05e6, 1e6});
    many.push_back({24.05e6, 24e6});  // half as fast as the short ones
  }
  const TimerSlope bent = timer_slope({.few_loops = 100, .many_loops = 1600, .few = few, .many = many});
  CHECK(bent.at_zero_ns < -0.5e6);
  CHECK(slope_fault(bent, bent).empty());
}

TEST_CASE("timer steps: multiples of a coarse step, however fine the driver says they are") {
  const auto steps = [](double step_ns, double period_ns) {
    std::vector<Timing> timings;
    for (int i = 0; i < 8; ++i) {
      const double ns = 1e6 + i * 4.37e6;
      timings.push_back({ns, std::floor(ns / step_ns) * step_ns});
    }
    return step_fault(timings, period_ns);
  };
  CHECK_WORDS("timer-fault.steps", steps(1e6, 1));
  CHECK_FALSE(steps(16e6, 1).empty());
  CHECK(steps(1, 1).empty());
  CHECK(steps(1000, 1).empty());
  CHECK(steps(1e6, 1e6).empty());  // as stated
}

TEST_CASE("timer check: a right timer stays; a wrong one gives way to the host's, with one warning") {
  Checked sound(right);
  const PointResult good = sound.measure();
  REQUIRE(good.outcome.status == Status::ok);
  CHECK(good.measurement->time_source == "device timer");
  CHECK(good.measurement->warnings.empty());
  CHECK(sound.check->fault().empty());

  Checked wrong(tenth);
  const PointResult bad = wrong.measure();
  REQUIRE(bad.outcome.status == Status::ok);
  CHECK(bad.measurement->time_source == "host timer");
  CHECK_FALSE(bad.measurement->samples.front().timing.device_ns);
  CHECK(bad.measurement->warnings == std::vector<std::string>{wrong.check->fault()});
  CHECK_WORDS("timer-fault.rate", wrong.check->fault());
}

TEST_CASE("timer check: a timer that changes in mid-run is found at the next point, which is measured again") {
  Checked later(tenth);
  later.wrong_after = SIZE_MAX;
  CHECK(later.measure().measurement->time_source == "device timer");
  later.wrong_after = later.runs + 5;
  const PointResult changed = later.measure();
  REQUIRE(changed.outcome.status == Status::ok);
  CHECK(changed.measurement->time_source == "host timer");
  CHECK(changed.measurement->warnings.size() == 1);
}

/// Whether the check finds a timer wrong that ran right as the device opened, by three samples.
bool finds_wrong_later(Checked& later, const std::vector<Timing>& timings, TimerCheck::TimedWork work) {
  std::vector<Sample> samples;
  for (const Timing& timing : timings) samples.emplace_back().timing = timing;
  return later.check->finds_wrong(samples, {}, work);
}

TEST_CASE("timer check: copies and chains of launches find a timer that changes in mid-run, too") {
  for (const double factor : {0.1, 0.9, 10.0, 24.0}) {
    CAPTURE(factor);
    Checked later([factor](double ns) { return factor * ns; });
    later.wrong_after = SIZE_MAX;
    later.check->start();
    later.wrong_after = later.runs;
    const Timing sample{1e6, factor * 1e6 * 0.9};
    CHECK(finds_wrong_later(later, {sample, sample, sample}, TimerCheck::TimedWork::other));
    CHECK_FALSE(later.check->fault().empty());
  }
}

TEST_CASE("timer check: copies that the host takes long for do not excuse kernels") {
  Checked later([](double ns) { return 0.8 * ns; });
  later.wrong_after = SIZE_MAX;
  later.check->start();
  const Timing copy{20e6, 1e6};
  CHECK_FALSE(finds_wrong_later(later, {copy, copy, copy}, TimerCheck::TimedWork::other));
  later.wrong_after = later.runs;
  const Timing kernel{2e6, 1.6e6};
  CHECK_FALSE(finds_wrong_later(later, {kernel, kernel, kernel}, TimerCheck::TimedWork::other));
  CHECK(finds_wrong_later(later, {kernel, kernel, kernel}, TimerCheck::TimedWork::kernel));
}

TEST_CASE("timer check: steps that begin in mid-run are found in samples that agree with the host's time") {
  for (const double step : {62.5e3, 1e6, 16e6}) {
    CAPTURE(step);
    Checked later([step](double ns) { return std::floor(ns / step) * step; });
    later.wrong_after = SIZE_MAX;
    later.check->start();
    later.wrong_after = later.runs;
    std::vector<Timing> timings;
    for (int i = 0; i < 8; ++i) timings.push_back({40 * step + i * step + 1e3, 40 * step + i * step});
    CHECK(finds_wrong_later(later, timings, TimerCheck::TimedWork::kernel));
  }
  Checked sound(right);
  sound.check->start();
  const std::size_t runs = sound.runs;
  const Timing sample{1e6, 1e6 - 1e3};
  CHECK_FALSE(finds_wrong_later(sound, std::vector<Timing>(8, sample), TimerCheck::TimedWork::kernel));
  CHECK(sound.runs > runs);  // equal times look like steps: they are checked again
}

TEST_CASE("timer check: two rounds that are wrong alike prove nothing if the third is right") {
  Checked counted(right);
  counted.check->start();  // one round suffices
  constexpr std::size_t kRound = 8;
  for (const std::size_t rounds : {2, 3}) {
    CAPTURE(rounds);
    Checked disturbed([](double ns) { return 0.88 * ns; });
    disturbed.wrong_after = counted.runs - kRound;
    disturbed.right_after = disturbed.wrong_after + rounds * kRound;
    disturbed.check->start();
    CHECK(disturbed.check->fault().empty() == (rounds == 2));
  }
}

TEST_CASE("timer slope: dispatches that differ by an eighth of the host's time prove nothing") {
  const auto proves = [](double second_host_ns) {
    const std::vector<Timing> few{{2e6, 1e6}, {2e6, 1e6}, {9e6, 1e6}};
    const std::vector<Timing> many{{18e6, 16e6}, {second_host_ns, 16e6}, {90e6, 16e6}};
    return is_proof(timer_slope({.few_loops = 1, .many_loops = 16, .few = few, .many = many}));
  };
  CHECK(proves(19.9e6));
  CHECK_FALSE(proves(20.1e6));
  CHECK_FALSE(is_proof(TimerSlope{}));
}

TEST_CASE("timer check: rounds that other programs disturb let no timer pass") {
  Checked busy(tenth);
  busy.held_up_ns = [](std::size_t run) { return 1e7 * static_cast<double>(run % 7); };
  const PointResult doubtful = busy.measure();
  REQUIRE(doubtful.outcome.status == Status::ok);
  CHECK(busy.check->fault().empty());
  CHECK_WORDS("timer-fault.not-compared", busy.check->doubt());
  CHECK(doubtful.measurement->warnings == std::vector<std::string>{busy.check->doubt()});

  busy.held_up_ns = [](std::size_t) { return 0; };
  CHECK(busy.measure().measurement->time_source == "host timer");
  CHECK_FALSE(busy.check->fault().empty());
  CHECK(busy.check->doubt().empty());

  Checked sound(right);
  sound.held_up_ns = [](std::size_t run) { return 1e7 * static_cast<double>(run % 7); };
  CHECK_FALSE(sound.measure().measurement->warnings.empty());
  sound.held_up_ns = [](std::size_t) { return 0; };
  CHECK(sound.measure().measurement->warnings.empty());
}

TEST_CASE("timer check: comparisons that prove nothing take 10 s of the host in all") {
  Checked busy(right);
  busy.held_up_ns = [](std::size_t run) { return 1e7 * static_cast<double>(run % 7); };
  const Timing sample{1e6, 0.99e6};
  for (int i = 0; i < 100; ++i) {
    busy.check->start();
    (void)finds_wrong_later(busy, {sample, sample, sample}, TimerCheck::TimedWork::kernel);
  }
  const std::size_t runs = busy.runs;
  CHECK_FALSE(finds_wrong_later(busy, {sample, sample, sample}, TimerCheck::TimedWork::kernel));
  CHECK(busy.runs == runs);
  CHECK_FALSE(busy.check->doubt().empty());
}

TEST_CASE("timer check: one dispatch that another program holds up hides no limit of loops") {
  Checked limited(right, 65535);
  limited.held_up_ns = [](std::size_t run) { return run == 1 ? 1e9 : 0; };
  limited.check->start();
  CHECK(limited.device->info().max_loop_iterations == 65535 - 511);
}

TEST_CASE("timer check: missing times are a fault, of a timer that the driver states") {
  Checked equal([](double) { return 0.0; });
  equal.check->start();
  CHECK_WORDS("timer-fault.no-time", equal.check->fault());
}

TEST_CASE("timer check: a device that ends loops early gets a limit below it") {
  Checked limited(right, 65535);
  limited.check->start();
  CHECK(limited.device->info().max_loop_iterations == 65535 - 511);
  Checked odd(right, 20000);
  odd.check->start();
  CHECK(odd.device->info().max_loop_iterations == 20000 - 156);
  Checked sound(right);
  sound.check->start();
  CHECK_FALSE(sound.device->info().max_loop_iterations);
}

TEST_CASE("timer check: a device without a compiler or with wrong results stays as it is") {
  Checked broken(right, 0);
  broken.check->start();
  CHECK_FALSE(broken.check->doubt().empty());
  CHECK_FALSE(broken.device->info().max_loop_iterations);
  CHECK(broken.check->fault().empty());
}

}  // namespace percycle::timer_check_test
