#include "experiments/arithmetic/parts/instruction_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "device/values.hpp"
#include "experiments/arithmetic/parts/chain_kernel.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/optimization.hpp"

namespace percycle {
namespace {

constexpr std::uint32_t kUsualSubgroup = 32;
constexpr std::uint32_t kNone = UINT32_MAX;  // no subgroup
// A turn's loop costs 3 instructions: 0.6 % of 512 steps. A CPU compiles the shorter turn sooner.
constexpr std::uint32_t kPairsFactor = 8;
constexpr std::uint32_t kPairsFactorOfCpu = 1;
constexpr std::size_t kWordsOfOut = 2;
constexpr std::size_t kWordsOfOperands = 8;

const std::vector<KernelParameter> kInstructionStreamParameters{
    {"loops", "turns of the timed loop"},
    {"lanes", "of a subgroup"},
    {"subgroups", "so many run"},
    {"first", "this one runs, too"},
    {"second", "likewise"},
    {"mask", "bits of a turn's last value that the next turn depends on"}};

/// Everything about a point that follows from it and the device.
struct InstructionShape {
  std::uint32_t lanes;
  std::uint32_t pairs;    ///< of a chain in a turn
  std::uint32_t groups;   ///< of the dispatch
  std::uint32_t running;  ///< subgroups of a group

  bool runs(const InstructionStream& stream, std::uint32_t lane) const {
    const std::uint32_t subgroup = lane / lanes;
    return stream.pair ? subgroup == stream.pair->first || subgroup == stream.pair->second : subgroup < running;
  }
};

std::uint32_t groups_of_unit(const InstructionStream& stream, std::uint32_t lanes) {
  return stream.pair ? 1 : std::max(1u, stream.subgroups * lanes / stream.group_size);
}

InstructionShape shape_of(const DeviceInfo& device, const InstructionStream& stream) {
  const std::uint32_t lanes = stream_lanes(device, stream.subgroup_size);
  const std::uint32_t factor = device.type == DeviceType::cpu ? kPairsFactorOfCpu : kPairsFactor;
  const std::uint32_t shares = stream.chains * (stream.partner != nullptr ? 2 : 1);
  const std::uint32_t of_unit = groups_of_unit(stream, lanes);
  return {.lanes = lanes,
          .pairs = std::max(1u, stream.operation->chain.pairs * factor / shares),
          .groups = all_units(device) * of_unit,
          .running = stream.pair ? 2 : stream.subgroups / of_unit};
}

StreamOperation lasting(StreamOperation operation) {
  operation.lasting = true;
  return operation;
}

/// Compares each lane's results with the host's. Runs of equally many turns end alike.
class StreamCheck {
 public:
  StreamCheck(const InstructionStream& stream, const InstructionShape& shape, std::shared_ptr<Buffer> out)
      : stream_(stream), shape_(shape), out_(std::move(out)) {
    const bool alone = stream.partner == nullptr;
    for (const ChainExpression& own : allowed_expressions(stream.operation->chain)) {
      for (const ChainExpression& other : alone ? std::vector<ChainExpression>(1) : allowed_expressions(stream.partner->chain))
        expressions_.emplace_back(own, other);
    }
  }

  Outcome operator()(Device& device, std::uint64_t loops) {
    words_.resize(std::size_t{shape_.groups} * stream_.group_size * kWordsOfOut);
    device.read(*out_, 0, std::as_writable_bytes(std::span(words_)));
    Outcome outcome;
    for (std::size_t i = 0; i < expressions_.size(); ++i) {
      outcome = held_against(i, loops);
      if (outcome.status == Status::ok) break;
    }
    return outcome;
  }

 private:
  Outcome held_against(std::size_t expression, std::uint64_t loops) {
    std::array<std::array<StreamEnd, 2>, 2> expected;  // by whether the subgroup runs, and the lane
    for (const std::uint32_t lane : {0u, 1u}) {
      expected[0][lane] = end_of_lane(expression, 0, lane);
      expected[1][lane] = end_of_lane(expression, loops, lane);
    }
    const std::size_t of_group = std::size_t{stream_.group_size} * kWordsOfOut;
    for (std::size_t group = 0; group < shape_.groups; ++group) {
      const auto own = std::span(words_).subspan(group * of_group, of_group);
      // Groups begin alike: a GPU that rests during a longer check must be loaded again.
      if (group > 0 && std::ranges::equal(own, std::span(words_).first(of_group))) continue;
      for (std::uint32_t lane = 0; lane < stream_.group_size; ++lane) {
        const StreamEnd& right = expected[shape_.runs(stream_, lane) ? 1 : 0][lane % 2];
        const std::uint32_t word = own[kWordsOfOut * lane];
        const double number = std::bit_cast<float>(own[kWordsOfOut * lane + 1]);
        if (word == right.word && std::abs(number - right.number) <= tolerance() * std::max(1.0, std::abs(right.number)))
          continue;
        return {Status::invalid, fmt::format("invocation {} ended with 0x{:x} and {} instead of 0x{:x} and {} after {} turns",
                                             group * stream_.group_size + lane, word, number, right.word, right.number, loops)};
      }
    }
    return {};
  }

  double tolerance() const {
    return std::max(stream_.operation->chain.tolerance, stream_.partner != nullptr ? stream_.partner->chain.tolerance : 0);
  }

  StreamEnd end_of_lane(std::size_t expression, std::uint64_t loops, std::uint32_t lane) {
    std::vector<StreamEnd> chains;
    const auto& [own, other] = expressions_[expression];
    for (std::uint32_t k = 0; k < stream_.chains; ++k) chains.push_back(end_of(*stream_.operation, own, loops, lane, k));
    if (stream_.partner != nullptr) {
      const StreamOperation partner = lasting(*stream_.partner);
      for (std::uint32_t k = 0; k < stream_.chains; ++k) chains.push_back(end_of(partner, other, loops, lane, k));
    }
    return lane_end(chains);
  }

  const StreamEnd& end_of(const StreamOperation& operation, const ChainExpression& expression, std::uint64_t loops,
                          std::uint32_t lane, std::uint32_t number) {
    const ChainOperation& chain = operation.chain;
    const std::uint32_t start = operation.uniform ? chain_mask(chain) + number : start_word(lane + number);
    const bool is_odd = chain.is_of_subgroup() && lane % 2 == 1;
    const auto [known, is_new] = ends_.try_emplace({expression.step, loops, start, is_odd});
    if (is_new) {
      known->second = stream_end(operation, expression,
                                 {.loops = loops,
                                  .pairs = shape_.pairs,
                                  .start = start,
                                  .neighbour_start = start_word(lane + number + 1),
                                  .is_odd = is_odd,
                                  .lanes = shape_.lanes,
                                  .mask = chain_mask(chain),
                                  .even_operand = chain.even_operand,
                                  .odd_operand = chain.odd_operand});
    }
    return known->second;
  }

  InstructionStream stream_;
  InstructionShape shape_;
  /// The expressions of the operation and of its partner.
  std::vector<std::pair<ChainExpression, ChainExpression>> expressions_;
  std::shared_ptr<Buffer> out_;
  std::vector<std::uint32_t> words_;
  std::map<std::tuple<ChainStep, std::uint64_t, std::uint32_t, bool>, StreamEnd> ends_;
};

KernelDesc describe(const InstructionStream& stream, std::uint32_t pairs) {
  const ChainOperation& chain = stream.operation->chain;
  KernelDesc desc{.name = "instruction_stream",
                  .definitions = {{"CHAIN", chain.name},
                                  {"TYPE", type_definition(chain.type)},
                                  {"CHAINS", std::to_string(stream.chains)},
                                  {"PAIRS", std::to_string(pairs)},
                                  {"LASTING", stream.operation->lasting ? "1" : "0"},
                                  {"EXACT", chain.is_exact() ? "1" : "0"}},
                  .local_size = stream.group_size,
                  .bindings = {{"starts"}, {"operands"}, {"out"}, {"stamps"}},
                  .parameters = kInstructionStreamParameters,
                  .subgroup_size = stream.subgroup_size,
                  .optimize = stream.optimize,
                  .later_opencl_c = chain.is_of_subgroup() || chain.is_dot_product(),
                  .texts = chain_texts(chain, chain.expression)};
  if (stream.width > 1) desc.definitions["WIDTH"] = std::to_string(stream.width);
  if (stream.operation->uniform) {
    desc.definitions["UNIFORM"] = "1";
    desc.texts["EVEN_OPERAND"] = fmt::format("{}u", static_cast<std::uint32_t>(chain.even_operand));
    desc.texts["ODD_OPERAND"] = fmt::format("{}u", static_cast<std::uint32_t>(chain.odd_operand));
  }
  if (stream.partner == nullptr) return desc;
  const ChainOperation& partner = stream.partner->chain;
  desc.definitions.insert({{"BESIDE_CHAIN", partner.name},
                           {"BESIDE_TYPE", type_definition(partner.type)},
                           {"BESIDE_EXACT", partner.is_exact() ? "1" : "0"}});
  desc.texts.insert({{"BESIDE_OPERATION(x, y, c)", "(" + partner.expression.text + ")"},
                     {"BESIDE_FIRST_VALUE(h)", "(" + chain_start_text(partner) + ")"},
                     {"BESIDE_OTHER_VALUE(h)", "(" + chain_other_text(partner) + ")"}});
  return desc;
}

std::shared_ptr<Buffer> written(Device& device, const std::vector<std::uint32_t>& words) {
  auto buffer = device.create(BufferDesc{words.size() * sizeof(std::uint32_t)});
  write_values(device, *buffer, words);
  return buffer;
}

std::shared_ptr<Buffer> write_starts(Device& device, const InstructionStream& stream) {
  std::vector<std::uint32_t> words;
  for (std::uint32_t lane = 0; lane < stream.group_size; ++lane) {
    for (std::uint32_t k = 0; k < stream.chains; ++k) words.push_back(start_word(lane + k));
  }
  return written(device, words);
}

/// Every lane's operands. Lanes that exchange values get the number of their neighbour.
std::shared_ptr<Buffer> write_operands(Device& device, const InstructionStream& stream, std::uint32_t lanes) {
  const std::array operations{&stream.operation->chain,
                              stream.partner != nullptr ? &stream.partner->chain : &stream.operation->chain};
  std::vector<std::uint32_t> words;
  words.reserve(kWordsOfOperands * stream.group_size);
  for (std::uint32_t lane = 0; lane < stream.group_size; ++lane) {
    const std::uint64_t neighbour = (lane % lanes) ^ 1u;
    for (const ChainOperation* operation : operations) {
      for (const std::uint64_t number : {operation->even_operand, operation->odd_operand}) {
        const std::uint64_t operand = operation->neighbour_operand ? neighbour : number;
        words.push_back(static_cast<std::uint32_t>(operand));
        words.push_back(static_cast<std::uint32_t>(operand >> 32));
      }
    }
  }
  return written(device, words);
}

std::uint64_t max_loops(const DeviceInfo& device, const InstructionStream& stream, std::uint32_t pairs) {
  // lavapipe also counts the pass in which the loop ends.
  const std::uint64_t most = device.max_loop_iterations.value_or(UINT32_MAX) - 1;
  return stream.operation->lasting ? std::min(most, kMostStreamSteps / (std::uint64_t{2} * pairs)) : most;
}

}  // namespace

std::uint32_t stream_lanes(const DeviceInfo& device, std::optional<std::uint32_t> subgroup_size) {
  const std::uint32_t largest = device.subgroup_sizes.empty() ? kUsualSubgroup : device.subgroup_sizes.back();
  return std::min(subgroup_size.value_or(largest), device.max_group_size);
}

std::optional<std::string> instruction_stream_unsupported(const DeviceInfo& device, const InstructionStream& stream) {
  if (auto reason = group_unsupported(device, stream.group_size, stream.subgroup_size)) return reason;
  if (shape_of(device, stream).groups > device.max_groups)
    return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
  if (stream.operation->chain.is_of_subgroup() && !stream.subgroup_size && device.subgroup_sizes.size() > 1)
    return "the driver may choose any of several subgroup sizes: choose one with --set subgroup_size=N";
  if (auto reason = operation_unsupported(device, stream.operation->chain)) return reason;
  return stream.partner != nullptr ? operation_unsupported(device, stream.partner->chain) : std::nullopt;
}

Trial instruction_stream_trial(Device& device, const InstructionStream& stream) {
  const InstructionShape shape = shape_of(device.info(), stream);
  const std::uint32_t running_lanes = shape.running * shape.lanes;
  const auto out =
      device.create(BufferDesc{std::uint64_t{shape.groups} * stream.group_size * kWordsOfOut * sizeof(std::uint32_t)});
  const auto stamps = device.create(BufferDesc{shape.groups * sizeof(GroupStamp)});
  const KernelDesc desc = describe(stream, shape.pairs);
  Trial trial;
  if (!desc.optimize) trial.timed.optimized = optimized_twin(device, desc);
  trial.timed.dispatch = {device.create(desc),
                          {{write_starts(device, stream), nullptr},
                           {write_operands(device, stream, shape.lanes), nullptr},
                           {out, nullptr},
                           {stamps, nullptr}},
                          {{"loops", 0},
                           {"lanes", shape.lanes},
                           {"subgroups", stream.pair ? 0 : shape.running},
                           {"first", stream.pair ? stream.pair->first : kNone},
                           {"second", stream.pair ? stream.pair->second : kNone},
                           {"mask", chain_mask(stream.operation->chain)}},
                          shape.groups};
  const std::uint64_t steps = 2 * std::uint64_t{shape.pairs} * stream.chains;
  // A uniform step has one result for all lanes.
  trial.timed.ops_per_loop =
      stream.operation->uniform ? std::max<std::uint64_t>(steps / shape.lanes, 1) : steps * stream.operation->results;
  const ChainOperation& chain = stream.operation->chain;
  trial.timed.arithmetic = {chain.name, steps, chain.has_helper() ? chain.helper_operations : 0};
  if (stream.width > 1) {  // an instruction may do a whole vector
    trial.timed.arithmetic->name += fmt::format(" of {} numbers", stream.width);
    trial.timed.arithmetic->count /= stream.width;
  }
  if (stream.partner != nullptr) {
    trial.timed.ops_per_loop += steps * stream.partner->results;
    trial.timed.arithmetic->name += " and " + stream.partner->chain.name;
    trial.timed.arithmetic->count += steps;
  }
  trial.timed.turn.emplace();
  trial.timed.max_loops = max_loops(device.info(), stream, shape.pairs);
  trial.timed.verify = StreamCheck(stream, shape, out);
  trial.group_stamps = GroupStamps{stamps, 0, shape.groups};
  trial.participants = Participants{.dispatch = std::uint64_t{shape.groups} * running_lanes, .group = running_lanes};
  trial.repeatable = true;
  observe_execution(trial, device);
  return trial;
}

}  // namespace percycle
