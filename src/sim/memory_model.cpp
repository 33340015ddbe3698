#include "sim/memory_model.hpp"

#include <algorithm>

namespace percycle::sim {

void MemoryModel::walk(std::span<const Walk> together) {
  std::uint64_t longest = 0;
  for (const auto& walk : together) longest = std::max(longest, walk.steps);
  for (std::uint64_t step = 0; step < longest; ++step) {
    for (const auto& walk : together) {
      if (step >= walk.steps) continue;
      const std::uint64_t offset = walk.base + walk.image.layout.offset(walk.image.chain.place(walk.position + step));
      access(walk.actor, walk.path, walk.binding, offset, walk.image.layout.pointers ? 8 : 4, AccessKind::read);
    }
  }
}

std::uint64_t MemoryModel::walk_beside(const Walk& one, std::span<const Stream> others, std::uint64_t) {
  walk({&one, 1});
  stream(others);
  return 1;
}

std::vector<GroupStamp> MemoryModel::stream(std::span<const Stream> together) {
  std::vector<GroupStamp> stamps;
  for (const auto& stream : together) {
    stamps.resize(std::max<std::size_t>(stamps.size(), stream.group + 1));
    stamps[stream.group].unit = stream.group;
    const std::uint64_t places = std::max<std::uint64_t>(1, stream.bytes / stream.width);
    for (std::uint64_t i = 0; i < stream.accesses; ++i) {
      const std::uint64_t offset = stream.base + i * stream.lanes % places * stream.width;
      access({stream.group, 0}, stream.path, stream.binding, offset, stream.width, stream.kind);
    }
  }
  return stamps;
}

std::vector<GroupStamp> MemoryModel::stream_again(const std::string& /*key*/,
                                                  const std::function<std::vector<Stream>()>& together) {
  return stream(together());
}

void MemoryModel::atomics(const AtomicChain& chain) {
  for (std::uint64_t i = 0; i < chain.operations; ++i) {
    access({}, chain.path, chain.binding, chain.offset, sizeof(std::uint32_t), AccessKind::atomic);
  }
}

void MemoryModel::pass_token(const TokenPass& pass) {
  for (std::uint64_t i = 0; i < pass.passes; ++i) {
    access({pass.first, 0}, pass.path, pass.binding, 0, sizeof(std::uint32_t), AccessKind::atomic);
  }
}

void MemoryModel::visit(const LineAccesses& line) {
  const AccessKind kind = line.atomic ? AccessKind::atomic : AccessKind::read;
  for (std::uint64_t i = 0; i < line.count; ++i)
    access({line.unit, 0}, MemoryPath::global, line.binding, line.offset, sizeof(std::uint32_t), kind);
}

std::vector<GroupStamp> MemoryModel::atomic_streams(std::span<const AtomicStream> together) {
  std::vector<GroupStamp> stamps;
  for (const auto& stream : together) {
    stamps.push_back({.unit = stream.group});
    for (std::uint64_t i = 0; i < stream.operations; ++i) {
      access({stream.group, 0}, stream.path, stream.binding, stream.offset, sizeof(std::uint32_t), AccessKind::atomic);
    }
  }
  return stamps;
}

void MemoryModel::operate(const Actor& actor, std::uint64_t operations, std::string_view) { compute(actor, operations); }

std::vector<GroupStamp> MemoryModel::operation_streams(std::span<const OperationStream> together) {
  std::vector<GroupStamp> stamps;
  for (const auto& stream : together) {
    stamps.push_back({.unit = stream.group});
    operate({stream.group, 0}, stream.steps, stream.name);
  }
  return stamps;
}

}  // namespace percycle::sim
