#include <doctest/doctest.h>

#include "measure/counter.hpp"

namespace percycle::counter_test {
namespace {

DeviceInfo timed_every(std::optional<double> period_ns) {
  DeviceInfo info;
  info.timer_period_ns = period_ns;
  return info;
}

TEST_CASE("a core's counter is distinguished from a reference clock by its rate") {
  // H200 at 1980 MHz, %clock64
  CHECK(classify_counter(1.98, timed_every(1)) == CounterKind::cycles);
  // Turing at 1755 MHz
  CHECK(classify_counter(1.755, timed_every(1000.0 / 32)) == CounterKind::cycles);
  // lavapipe, PoCL: nanoseconds
  CHECK(classify_counter(1.0, timed_every(1)) == CounterKind::fixed_rate);
  // A time source, timer or not.
  CHECK(classify_counter(1.0, timed_every(std::nullopt)) == CounterKind::fixed_rate);
  // Intel Gen9: 12 MHz
  CHECK(classify_counter(0.012, timed_every(1e9 / 12e6)) == CounterKind::fixed_rate);
  // Intel Xe: 19.2 MHz
  CHECK(classify_counter(0.0192, timed_every(52.083)) == CounterKind::fixed_rate);
  // AMD s_memrealtime: 100 MHz
  CHECK(classify_counter(0.1, timed_every(10)) == CounterKind::fixed_rate);
  // The same beside another timer.
  CHECK(classify_counter(0.1, timed_every(1)) == CounterKind::fixed_rate);
  // AMD s_memtime at 2.4 GHz
  CHECK(classify_counter(2.4, timed_every(10)) == CounterKind::cycles);
}

TEST_CASE("a CPU kernel's counter is no core's counter at any rate; a simulated CPU's is its model's") {
  DeviceInfo cpu = timed_every(1);
  cpu.type = DeviceType::cpu;
  CHECK(classify_counter(0.9949, cpu) == CounterKind::fixed_rate);
  CHECK(classify_counter(2.5, cpu) == CounterKind::fixed_rate);
  cpu.model = "a model";
  CHECK(classify_counter(2.5, cpu) == CounterKind::cycles);
}

TEST_CASE("a counter at its timer's rate is a reference clock within half a percent") {
  CHECK(classify_counter(2.0, timed_every(0.5)) == CounterKind::fixed_rate);
  CHECK(classify_counter(2.009, timed_every(0.5)) == CounterKind::fixed_rate);
  CHECK(classify_counter(1.991, timed_every(0.5)) == CounterKind::fixed_rate);
  CHECK(classify_counter(2.011, timed_every(0.5)) == CounterKind::cycles);
  CHECK(classify_counter(1.989, timed_every(0.5)) == CounterKind::cycles);
  CHECK(classify_counter(1.004, timed_every(10)) == CounterKind::fixed_rate);
  CHECK(classify_counter(1.006, timed_every(10)) == CounterKind::cycles);
}

TEST_CASE("no core under load runs below 200 MHz") {
  CHECK(classify_counter(0.199, timed_every(1)) == CounterKind::fixed_rate);
  CHECK(classify_counter(0.201, timed_every(1)) == CounterKind::cycles);
  CHECK(classify_counter(0.3, timed_every(1)) == CounterKind::cycles);  // an idling integrated GPU
}

TEST_CASE("elapsed ticks of a counter that goes forward, wraps once or is broken") {
  constexpr std::uint64_t k32 = std::uint64_t{1} << 32;
  CHECK(elapsed_ticks(10, 15) == 5u);
  CHECK(elapsed_ticks(7, 7) == 0u);
  CHECK(elapsed_ticks(0, ~std::uint64_t{0}) == ~std::uint64_t{0});
  CHECK(elapsed_ticks(k32 + 1, k32 + 9) == 8u);
  CHECK(elapsed_ticks(k32 - 3, 4) == 7u);  // lavapipe 22.3 leaves the high word zero
  CHECK(elapsed_ticks(k32 - 1, 0) == 1u);
  CHECK_FALSE(elapsed_ticks(k32, 4));
  CHECK_FALSE(elapsed_ticks(k32 + 9, k32 + 1));

  CHECK(ticks_between(5 * k32, 5 * k32 + 9) == 9);
  CHECK(ticks_between(5 * k32 + 9, 5 * k32) == -9);
  CHECK(ticks_between(2 * k32, 5 * k32) == 3 * static_cast<std::int64_t>(k32));
  CHECK(ticks_between(5 * k32 + 9, 12) == 3);  // a kernel's clock without the high word
  CHECK(ticks_between(5 * k32 + 2, k32 - 1) == -3);
}

}  // namespace
}  // namespace percycle::counter_test
