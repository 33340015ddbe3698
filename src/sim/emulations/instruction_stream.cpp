#include "expected/instruction_stream.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

constexpr std::size_t kStarts = 0;
constexpr std::size_t kOperands = 1;
constexpr std::size_t kStreamOut = 2;
constexpr std::size_t kStreamStamps = 3;
constexpr std::size_t kWordsOfOperands = 8;

bool runs(const Execution& run, std::uint32_t subgroup) {
  return subgroup < run.parameter("subgroups") || subgroup == run.parameter("first") || subgroup == run.parameter("second");
}

StreamOperation operation_of(const Execution& run, const char* definition, bool lasting) {
  StreamOperation operation = *find_stream_operation(run.definition(definition));
  operation.lasting = lasting;
  return operation;
}

/// The chains of a lane of a work-group.
class StreamLanes {
 public:
  explicit StreamLanes(const Execution& run) : run_(run), operations_{operation_of(run, "CHAIN", run.is("LASTING", "1"))} {
    if (run.is_defined("BESIDE_CHAIN")) operations_.push_back(operation_of(run, "BESIDE_CHAIN", true));
  }

  StreamEnd end(std::uint32_t lane, std::uint64_t loops) {
    const std::uint32_t chains = run_.number("CHAINS");
    std::vector<StreamEnd> ends;
    for (std::size_t which = 0; which < operations_.size(); ++which) {
      for (std::uint32_t k = 0; k < chains; ++k) ends.push_back(chain_end_of(which, lane, lane * chains + k, loops));
    }
    return lane_end(ends);
  }

 private:
  std::uint32_t word(std::size_t binding, std::size_t index) const {
    std::uint32_t value = 0;
    std::memcpy(&value, run_.bindings[binding]->contents().data() + index * sizeof value, sizeof value);
    return value;
  }

  std::uint64_t operand(std::size_t which, std::uint32_t lane, std::size_t number) const {
    const std::size_t at = kWordsOfOperands * lane + 4 * which + 2 * number;
    return std::uint64_t{word(kOperands, at + 1)} << 32 | word(kOperands, at);
  }

  const StreamEnd& chain_end_of(std::size_t which, std::uint32_t lane, std::uint32_t chain, std::uint64_t loops) {
    const std::uint32_t chains = run_.number("CHAINS");
    // The same chain of the neighbouring lane.
    const std::uint32_t neighbour = lane % 2 == 0 ? chain + chains : chain - chains;
    const bool exchanges = operations_[which].chain.is_of_subgroup();
    const ChainRun chain_run{.loops = loops,
                             .pairs = run_.number("PAIRS"),
                             .start = operations_[which].uniform ? run_.parameter("mask") + chain % chains : word(kStarts, chain),
                             .neighbour_start = exchanges ? word(kStarts, neighbour) : 0,
                             .is_odd = exchanges && lane % 2 == 1,
                             .lanes = run_.parameter("lanes"),
                             .mask = run_.parameter("mask"),
                             .even_operand = operand(which, lane, 0),
                             .odd_operand = operand(which, lane, 1)};
    const auto [known, is_new] = ends_.try_emplace({which, chain_run.start, chain_run.is_odd, loops});
    if (is_new) known->second = stream_end(operations_[which], operations_[which].chain.expression, chain_run);
    return known->second;
  }

  const Execution& run_;
  std::vector<StreamOperation> operations_;
  std::map<std::tuple<std::size_t, std::uint32_t, bool, std::uint64_t>, StreamEnd> ends_;
};

void instruction_stream(const Execution& run, MemoryModel& memory) {
  const std::uint32_t size = run.kernel.local_size;
  const std::uint32_t lanes = run.parameter("lanes");
  const std::uint64_t loops = run.parameter("loops");
  OperationStream stream{.group = 0,
                         .subgroups = {},
                         .chains = run.number("CHAINS"),
                         .steps = 2 * loops * run.number("PAIRS"),
                         .name = run.definition("CHAIN")};
  if (run.is_defined("BESIDE_CHAIN")) stream.partner = run.definition("BESIDE_CHAIN");
  for (std::uint32_t subgroup = 0; subgroup < (size + lanes - 1) / lanes; ++subgroup) {
    if (runs(run, subgroup)) stream.subgroups.push_back(subgroup);
  }
  std::vector<OperationStream> streams(run.groups, stream);
  for (std::uint32_t group = 0; group < run.groups; ++group) streams[group].group = group;
  const auto stamps = memory.operation_streams(streams);
  std::memcpy(run.bindings[kStreamStamps]->bytes().data(), stamps.data(), stamps.size() * sizeof(GroupStamp));

  StreamLanes chains(run);
  std::vector<std::array<std::uint32_t, 2>> of_group;
  for (std::uint32_t lane = 0; lane < size; ++lane) {
    const StreamEnd end = chains.end(lane, runs(run, lane / lanes) ? loops : 0);
    of_group.push_back({end.word, std::bit_cast<std::uint32_t>(static_cast<float>(end.number))});
  }
  const std::size_t bytes = of_group.size() * sizeof of_group[0];
  for (std::uint32_t group = 0; group < run.groups; ++group)
    std::memcpy(run.bindings[kStreamOut]->bytes().data() + group * bytes, of_group.data(), bytes);
}

const RegisterEmulation registered_instruction_stream("instruction_stream", instruction_stream);

}  // namespace
}  // namespace percycle::sim
