#include "measure/subgroup_check.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "fake_device.hpp"

namespace percycle::subgroup_check_test {
namespace {

/// A device that states `sizes` and runs each kernel with subgroups of `lanes`.
struct Stated {
  Stated(std::vector<std::uint32_t> sizes, std::uint32_t lanes, bool control) {
    fake::Script script;
    script.info.subgroup_sizes = std::move(sizes);
    script.info.subgroup_size_control = control;
    script.info.subgroup_operations.broadcast = true;
    script.after_run = [lanes](const Dispatch& dispatch, double, std::size_t) {
      std::vector<std::byte>& out = fake::contents(dispatch.bindings.back());
      for (std::uint32_t lane = 0; kClockBytes + 16 * std::size_t{lane} < out.size(); ++lane) {
        const std::uint32_t first = lane - lane % lanes;
        std::memcpy(out.data() + kClockBytes + 16 * std::size_t{lane} + 8, &first, sizeof first);
      }
    };
    device = std::make_unique<CorrectedDevice>(std::make_unique<fake::FakeDevice>(script));
  }

  std::string warning() { return correct_subgroup_size(*device, *device); }

  std::unique_ptr<CorrectedDevice> device;
};

}  // namespace

TEST_CASE("subgroup check: first lanes give a size only if all subgroups are alike") {
  using Lanes = std::vector<std::uint32_t>;
  CHECK(lanes_together(Lanes{0, 0, 2, 2}) == 2);
  CHECK(lanes_together(Lanes{0, 1, 2, 3}) == 1);
  CHECK_FALSE(lanes_together(Lanes{0, 0, 0, 0}));  // all lanes are one: it may be wider
  CHECK_FALSE(lanes_together(Lanes{0, 0, 2, 3}));
  CHECK_FALSE(lanes_together(Lanes{7, 7, 7, 7}));
}

TEST_CASE("subgroup check: the counted size replaces a wrong one, with a warning") {
  Stated wrong({32, 64}, 8, true);
  CHECK_WORDS("subgroup-check.stated", wrong.warning());
  CHECK(wrong.device->info().subgroup_sizes == std::vector<std::uint32_t>{8});
  CHECK_FALSE(wrong.device->info().subgroup_size_control);
}

TEST_CASE("subgroup check: a required size that the driver ignores cannot be required") {
  Stated ignored({16, 32}, 16, true);
  CHECK_WORDS("subgroup-check.required", ignored.warning());
  CHECK(ignored.device->info().subgroup_sizes == std::vector<std::uint32_t>{16});
}

TEST_CASE("subgroup check: right sizes stay, and so does a device that cannot say") {
  Stated right({32}, 32, false);
  CHECK(right.warning().empty());
  Stated one_of_two({32, 64}, 64, false);
  CHECK(one_of_two.warning().empty());
  CHECK(one_of_two.device->info().subgroup_sizes.size() == 2);
  Stated wider_than_a_group({32}, 4096, false);
  CHECK(wider_than_a_group.warning().empty());
}

}  // namespace percycle::subgroup_check_test
