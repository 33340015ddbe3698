#include "limits/normalize.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "check_words.hpp"

namespace percycle::normalize_test {
namespace {

Limit limit(Quantity quantity, double value) {
  Limit result;
  result.quantity = quantity;
  result.value = value;
  result.provenance = Provenance::catalogue;
  return result;
}

/// 8 units at 1 GHz that move 1000 GB/s, by a limit of 128 bytes per unit-cycle.
MeasuredBandwidth full() {
  MeasuredBandwidth measured;
  measured.gb_s = 1000;
  measured.clock_mhz = Sourced<double>{1000, Provenance::telemetry};
  measured.units = Sourced<std::uint32_t>{8, Provenance::reported};
  measured.limit = limit(Quantity::load, 128);
  return measured;
}

}  // namespace

TEST_CASE("normalize: five figures from bandwidth, clock, units and limit") {
  const NormalizedBandwidth made = normalize(full());
  CHECK(made.gb_s == 1000);
  CHECK(made.bytes_per_unit_cycle == 125);
  CHECK_FALSE(made.in_kernel);
  CHECK(made.limit_gb_s == 1024);
  CHECK(made.limit_bytes_per_unit_cycle == 128);
  CHECK(made.efficiency == 125.0 / 128);
  CHECK_FALSE(made.disagreement);
  CHECK(made.clock_mhz == Sourced<double>{1000, Provenance::telemetry});
  CHECK(made.units == Sourced<std::uint32_t>{8, Provenance::reported});
  CHECK(made.limit_provenance == Provenance::catalogue);
  CHECK(made.suspect.empty());
}

TEST_CASE("normalize: a figure without an input is absent") {
  MeasuredBandwidth measured = full();
  measured.clock_mhz.reset();
  NormalizedBandwidth made = normalize(measured);
  CHECK(made.gb_s == 1000);
  CHECK_FALSE(made.bytes_per_unit_cycle);
  CHECK_FALSE(made.limit_gb_s);
  CHECK(made.limit_bytes_per_unit_cycle == 128);
  CHECK_FALSE(made.efficiency);

  measured = full();
  measured.units.reset();
  made = normalize(measured);
  CHECK_FALSE(made.bytes_per_unit_cycle);
  CHECK_FALSE(made.limit_gb_s);
  CHECK_FALSE(made.efficiency);

  measured = full();
  measured.limit.reset();
  made = normalize(measured);
  CHECK(made.bytes_per_unit_cycle == 125);
  CHECK_FALSE(made.limit_gb_s);
  CHECK_FALSE(made.limit_bytes_per_unit_cycle);
  CHECK_FALSE(made.efficiency);
  CHECK_FALSE(made.limit_provenance);

  measured = full();
  measured.gb_s.reset();
  made = normalize(measured);
  CHECK_FALSE(made.gb_s);
  CHECK_FALSE(made.bytes_per_unit_cycle);
  CHECK(made.limit_gb_s == 1024);
  CHECK_FALSE(made.efficiency);

  made = normalize({});
  CHECK_FALSE(made.gb_s);
  CHECK_FALSE(made.efficiency);
}

TEST_CASE("normalize: a count in the kernel goes before a division by a clock, and needs none") {
  MeasuredBandwidth measured = full();
  measured.in_kernel_bytes_per_unit_cycle = 100;
  NormalizedBandwidth made = normalize(measured);
  CHECK(made.bytes_per_unit_cycle == 100);
  CHECK(made.in_kernel);
  CHECK(made.efficiency == 100.0 / 128);
  CHECK(made.disagreement == doctest::Approx(0.25));

  measured.clock_mhz.reset();
  measured.units.reset();
  measured.gb_s.reset();
  made = normalize(measured);
  CHECK(made.bytes_per_unit_cycle == 100);
  CHECK(made.efficiency == 100.0 / 128);
  CHECK_FALSE(made.disagreement);
  CHECK_FALSE(made.gb_s);
}

TEST_CASE("normalize: memory has a limit per second, and its efficiency needs no clock") {
  MeasuredBandwidth measured = full();
  measured.limit = limit(Quantity::memory, 4000);
  NormalizedBandwidth made = normalize(measured);
  CHECK(made.limit_gb_s == 4000);
  CHECK(made.limit_bytes_per_unit_cycle == 500);
  CHECK(made.efficiency == 0.25);
  measured.in_kernel_bytes_per_unit_cycle = 250;
  CHECK(normalize(measured).efficiency == 0.25);
  measured.in_kernel_bytes_per_unit_cycle.reset();
  measured.clock_mhz.reset();
  measured.units.reset();
  made = normalize(measured);
  CHECK(made.efficiency == 0.25);
  CHECK_FALSE(made.limit_bytes_per_unit_cycle);
}

TEST_CASE("normalize: the limit of a whole L2 is per cycle of the device") {
  MeasuredBandwidth measured = full();
  measured.limit = limit(Quantity::l2_device, 2000);
  NormalizedBandwidth made = normalize(measured);
  CHECK(made.limit_gb_s == 2000);
  CHECK(made.limit_bytes_per_unit_cycle == 250);
  CHECK(made.efficiency == 0.5);
  measured.units.reset();
  made = normalize(measured);
  CHECK(made.limit_gb_s == 2000);
  CHECK_FALSE(made.limit_bytes_per_unit_cycle);
  CHECK_FALSE(made.efficiency);
}

TEST_CASE("normalize: more than the limit is suspect, and the message names only its inputs") {
  MeasuredBandwidth measured = full();
  measured.gb_s = 1034.24;
  CHECK(normalize(measured).efficiency == doctest::Approx(1.01));
  CHECK_WORDS("normalize.above-limit", normalize(measured).suspect);
  measured.in_kernel_bytes_per_unit_cycle = 256;
  CHECK_WORDS("normalize.far-above-limit", normalize(measured).suspect);
  measured = full();
  measured.limit = limit(Quantity::memory, 500);
  CHECK_WORDS("normalize.far-above-limit", normalize(measured).suspect);
  measured = full();
  measured.gb_s = 1024;
  CHECK(normalize(measured).efficiency == 1);
  CHECK(normalize(measured).suspect.empty());
  measured.gb_s = 1024.01;
  CHECK_WORDS("normalize.just-above-limit", normalize(measured).suspect);
}

TEST_CASE("normalize: a count or a clock is no limit of a bandwidth") {
  for (const Quantity quantity : {Quantity::units, Quantity::lanes, Quantity::alu_latency, Quantity::boost}) {
    MeasuredBandwidth measured = full();
    measured.limit = limit(quantity, 8);
    CHECK_THROWS_AS(normalize(measured), std::invalid_argument);
  }
}

}  // namespace percycle::normalize_test
