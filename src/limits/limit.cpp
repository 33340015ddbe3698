#include "limits/limit.hpp"

#include <algorithm>
#include <array>

namespace percycle {
namespace {

constexpr std::array<QuantityName, 21> kQuantities{{
    {Quantity::load, "load", "bytes per unit-cycle", Per::unit_cycle, false, false},
    {Quantity::texel, "texel", "bytes per unit-cycle", Per::unit_cycle, false, false},
    {Quantity::local, "local", "bytes per unit-cycle", Per::unit_cycle, false, false},
    {Quantity::l2, "l2", "bytes per unit-cycle", Per::unit_cycle, false, false},
    {Quantity::l2_device, "l2_device", "bytes per cycle of the device", Per::device_cycle, false, true},
    {Quantity::memory, "memory_gb_s", "GB/s", Per::second, false, true},
    {Quantity::fp32, "fp32", "results per unit-cycle", Per::unit_cycle, false, false},
    {Quantity::fp64, "fp64", "results per unit-cycle", Per::unit_cycle, false, false},
    {Quantity::fp16, "fp16", "results per unit-cycle", Per::unit_cycle, false, false},
    {Quantity::int32, "int32", "results per unit-cycle", Per::unit_cycle, false, false},
    {Quantity::int32_mul, "int32_mul", "results per unit-cycle", Per::unit_cycle, false, false},
    {Quantity::special, "special", "results per unit-cycle", Per::unit_cycle, false, false},
    {Quantity::matrix_fp16, "matrix_fp16", "operations per unit-cycle", Per::unit_cycle, false, false},
    {Quantity::matrix_tf32, "matrix_tf32", "operations per unit-cycle", Per::unit_cycle, false, false},
    {Quantity::matrix_fp64, "matrix_fp64", "operations per unit-cycle", Per::unit_cycle, false, false},
    {Quantity::matrix_fp8, "matrix_fp8", "operations per unit-cycle", Per::unit_cycle, false, false},
    {Quantity::matrix_int8, "matrix_int8", "operations per unit-cycle", Per::unit_cycle, false, false},
    {Quantity::lanes, "lanes", "lanes per unit", Per::none, true, false},
    {Quantity::alu_latency, "alu_latency", "cycles", Per::none, false, false},
    {Quantity::units, "units", "units", Per::none, true, true},
    {Quantity::boost, "boost_mhz", "MHz", Per::none, false, true},
}};

}  // namespace

std::span<const QuantityName> quantities() { return kQuantities; }

const QuantityName& name_of(Quantity quantity) {
  return *std::find_if(kQuantities.begin(), kQuantities.end(),
                       [quantity](const QuantityName& name) { return name.quantity == quantity; });
}

}  // namespace percycle
