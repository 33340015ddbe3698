#include "measure/kernel_check.hpp"

#include <cstdint>
#include <stdexcept>

#include "measure/alu_chain.hpp"

namespace percycle {

bool runs_kernels(Device& device) {
  constexpr std::uint64_t kPairs = 256;  // as the check of the timer, which compiles it, too
  constexpr std::uint64_t kTurns = 3;
  try {
    const std::uint32_t lanes = alu_chain_lanes(device.info());
    const auto ends = device.create(BufferDesc{std::uint64_t{lanes} * sizeof(std::uint32_t)});
    const auto kernel = device.create(alu_chain_kernel(device.info(), lanes, kPairs));
    return run_alu_chain(device, kernel, ends, kPairs, kTurns).has_value();
  } catch (const DeviceError& error) {
    if (error.kind == DeviceError::Kind::lost) throw;
  } catch (const std::invalid_argument&) {  // a rule of the Device interface
  }
  return true;
}

}  // namespace percycle
