#include "measure/measurer.hpp"

#include <fmt/format.h>

#include <chrono>
#include <new>
#include <stdexcept>
#include <utility>

namespace percycle {
namespace {

Outcome outcome_of(const DeviceError& error) {
  if (error.kind == DeviceError::Kind::unsupported) return {Status::unsupported, error.what()};
  const char* kind = error.kind == DeviceError::Kind::build           ? "the kernel did not build: "
                     : error.kind == DeviceError::Kind::out_of_memory ? "out of memory: "
                     : error.kind == DeviceError::Kind::lost          ? "device lost: "
                                                                      : "";
  return {Status::failed, fmt::format("{}{}", kind, error.what())};
}

}  // namespace

Measured Measurer::measure(const Experiment& experiment, const Point& point, const Protocol& protocol, std::uint64_t seed) {
  auto measured = measure_once(experiment, point, protocol, seed);
  // Now by the host's timer.
  if (!measured) measured = measure_once(experiment, point, protocol, seed);
  return std::move(measured).value();
}

std::optional<Measured> Measurer::measure_once(const Experiment& experiment, const Point& point, const Protocol& protocol,
                                               std::uint64_t seed) {
  Measured measured;
  measured.result.point = point;
  Outcome& outcome = measured.result.outcome;
  PointRun run(device_, experiment, point, protocol);
  const auto let_device_rest = [&] { device_.resting_since = std::chrono::steady_clock::now(); };
  try {
    if (device_.check != nullptr) device_.check->start();
    run.prepare(seed);
    run.idle();
    run.calibrate();
    run.warm_up();
    run.sample();
    if (run.has_wrong_timer()) return std::nullopt;
    run.idle_again();
    run.control();
    let_device_rest();  // before the machine code is read, which may be slow
    measured.result.measurement = run.finish();
    return measured;
  } catch (const Interruption&) {
    measured.interrupted = true;
  } catch (const BadOutcome& bad) {
    let_device_rest();
    outcome = bad.outcome;
    if (outcome.status == Status::invalid) measured.result.measurement = run.unfinished();
    return measured;
  } catch (const DeviceError& error) {
    measured.device_lost = error.kind == DeviceError::Kind::lost;
    outcome = outcome_of(error);
  } catch (const std::bad_alloc&) {
    outcome = {Status::failed, "out of memory: the host has none left"};
  } catch (const std::invalid_argument& broken_rule) {
    // A rule of the Device interface: a range or count that the device does not have.
    outcome = {Status::failed, broken_rule.what()};
  }
  let_device_rest();
  return measured;
}

}  // namespace percycle
