#include <cstring>

#include "sim/clock_pair.hpp"
#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

constexpr std::uint64_t kTicksOffset = kClockBytes + sizeof(std::uint64_t);

/// A chase in a memory, load by load.
class LinkByLink {
 public:
  LinkByLink(BoundMemory& memory, std::uint64_t link, std::uint64_t address_base, std::uint32_t link_unit, bool pointers)
      : image_(memory.chain()), base_(address_base), unit_(link_unit), pointers_(pointers), link_(link) {
    if (image_ != nullptr) {
      position_ = image_->position_of(link, base_);
    } else {
      bytes_ = memory.contents();
    }
  }

  std::uint64_t link() const { return link_; }
  std::uint64_t offset() const { return pointers_ ? link_ - base_ : link_ * unit_; }
  std::uint32_t bytes() const { return pointers_ ? 8 : 4; }

  void load() {
    if (image_ != nullptr) {
      link_ = image_->link_to(++position_, base_);
      return;
    }
    std::uint64_t next = 0;
    std::memcpy(&next, bytes_.data() + offset(), bytes());
    link_ = next;
  }

 private:
  const ChainImage* image_;
  std::uint64_t base_;
  std::uint32_t unit_;
  bool pointers_;
  std::uint64_t link_;
  std::uint64_t position_ = 0;
  std::span<const std::byte> bytes_;
};

void geometry(const Execution& run, MemoryModel& memory) {
  const MemoryPath path = run.is("PATH", "PATH_GLOBAL")    ? MemoryPath::global
                          : run.is("PATH", "PATH_TEXTURE") ? MemoryPath::texture
                                                           : MemoryPath::constant;
  const bool constant = path == MemoryPath::constant;
  const bool pointers = path == MemoryPath::global;
  const auto state = run.bindings[constant ? 0 : 1]->bytes();
  const auto out = run.bindings[constant ? 1 : 2]->bytes();
  std::uint64_t link = 0;
  std::memcpy(&link, state.data(), sizeof link);
  LinkByLink chase(constant ? run.constants : *run.bindings[0], link, pointers ? run.addresses[0] : 0, run.parameter("link_unit"),
                   pointers);
  const auto load = [&] {
    memory.access({}, path, 0, chase.offset(), chase.bytes(), AccessKind::read);
    chase.load();
  };
  for (std::uint32_t i = 0; i < run.parameter("warm_steps"); ++i) load();
  ClockPair clocks(memory);
  const std::uint32_t timed = run.parameter("loops") * run.parameter("steps");
  for (std::uint32_t i = 0; i < timed; ++i) {
    const std::uint64_t begin = memory.unit_clock();
    load();
    const auto ticks = static_cast<std::uint32_t>(memory.unit_clock() - begin);
    std::memcpy(out.data() + kTicksOffset + i * sizeof ticks, &ticks, sizeof ticks);
  }
  clocks.end();
  clocks.write(out);
  link = chase.link();
  const std::uint64_t end = chase.offset();
  std::memcpy(state.data(), &link, sizeof link);
  std::memcpy(out.data() + kClockBytes, &end, sizeof end);
}

const RegisterEmulation registered_geometry("geometry", geometry);

}  // namespace
}  // namespace percycle::sim
