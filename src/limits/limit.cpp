#include "limits/limit.hpp"

#include <algorithm>
#include <array>

#include "core/figures.hpp"

namespace percycle {
namespace {

constexpr std::array<QuantityName, 21> kQuantities{{
    {Quantity::load, "load", unit_text::kBytesPerUnitCycle, Per::unit_cycle, false, false},
    {Quantity::texel, "texel", unit_text::kBytesPerUnitCycle, Per::unit_cycle, false, false},
    {Quantity::local, "local", unit_text::kBytesPerUnitCycle, Per::unit_cycle, false, false},
    {Quantity::l2, "l2", unit_text::kBytesPerUnitCycle, Per::unit_cycle, false, false},
    {Quantity::l2_device, "l2_device", unit_text::kBytesPerDeviceCycle, Per::device_cycle, false, true},
    {Quantity::memory, "memory_gb_s", unit_text::kGbPerS, Per::second, false, true},
    {Quantity::fp32, "fp32", unit_text::kResultsPerUnitCycle, Per::unit_cycle, false, false},
    {Quantity::fp64, "fp64", unit_text::kResultsPerUnitCycle, Per::unit_cycle, false, false},
    {Quantity::fp16, "fp16", unit_text::kResultsPerUnitCycle, Per::unit_cycle, false, false},
    {Quantity::int32, "int32", unit_text::kResultsPerUnitCycle, Per::unit_cycle, false, false},
    {Quantity::int32_mul, "int32_mul", unit_text::kResultsPerUnitCycle, Per::unit_cycle, false, false},
    {Quantity::special, "special", unit_text::kResultsPerUnitCycle, Per::unit_cycle, false, false},
    {Quantity::matrix_fp16, "matrix_fp16", unit_text::kOperationsPerUnitCycle, Per::unit_cycle, false, false},
    {Quantity::matrix_tf32, "matrix_tf32", unit_text::kOperationsPerUnitCycle, Per::unit_cycle, false, false},
    {Quantity::matrix_fp64, "matrix_fp64", unit_text::kOperationsPerUnitCycle, Per::unit_cycle, false, false},
    {Quantity::matrix_fp8, "matrix_fp8", unit_text::kOperationsPerUnitCycle, Per::unit_cycle, false, false},
    {Quantity::matrix_int8, "matrix_int8", unit_text::kOperationsPerUnitCycle, Per::unit_cycle, false, false},
    {Quantity::lanes, "lanes", unit_text::kLanesPerUnit, Per::none, true, false},
    {Quantity::alu_latency, "alu_latency", unit_text::kCycles, Per::none, false, false},
    {Quantity::units, "units", unit_text::kUnits, Per::none, true, true},
    {Quantity::boost, "boost_mhz", unit_text::kMhz, Per::none, false, true},
}};

}  // namespace

std::span<const QuantityName> quantities() { return kQuantities; }

const QuantityName& name_of(Quantity quantity) {
  return *std::find_if(kQuantities.begin(), kQuantities.end(),
                       [quantity](const QuantityName& name) { return name.quantity == quantity; });
}

}  // namespace percycle
