#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "device/device.hpp"

namespace percycle {

/// Reads so many values from the buffer's byte `offset` on.
template <typename T>
std::vector<T> read_values(Device& device, const Buffer& buffer, std::size_t count, std::uint64_t offset = 0) {
  std::vector<T> values(count);
  device.read(buffer, offset, std::as_writable_bytes(std::span(values)));
  return values;
}

/// Writes a vector or an array from the buffer's byte `offset` on.
template <typename Values>
void write_values(Device& device, Buffer& buffer, const Values& values, std::uint64_t offset = 0) {
  device.write(buffer, offset, std::as_bytes(std::span(values)));
}

/// A buffer that holds these values, behind so many other bytes.
template <typename Values>
std::shared_ptr<Buffer> buffer_of(Device& device, const Values& values, std::uint64_t offset = 0) {
  auto buffer = device.create(BufferDesc{offset + std::span(values).size_bytes()});
  write_values(device, *buffer, values, offset);
  return buffer;
}

/// A buffer that begins with a kernel's clocks and holds `bytes` of other results behind them.
inline std::shared_ptr<Buffer> result_buffer(Device& device, std::uint64_t bytes) {
  return device.create(BufferDesc{kClockBytes + bytes});
}

/// Reads the values behind a kernel's clocks.
template <typename T>
std::vector<T> read_results(Device& device, const Buffer& buffer, std::size_t count) {
  return read_values<T>(device, buffer, count, kClockBytes);
}

}  // namespace percycle
