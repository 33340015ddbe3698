#include "codegen/assembly/timed_loop.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace percycle::isa {
namespace {

void add(Counts& found, const Instruction& each) {
  if (!each.name.empty()) ++found.names[each.name];
  switch (each.kind) {
    case InstructionKind::load:
    case InstructionKind::store:
    case InstructionKind::atomic:
      found.accesses[{each.kind, each.space, each.bytes, each.returns}] += each.accesses;
      if (each.accesses > 1) ++found.pairs;
      break;
    case InstructionKind::alu:
      ++found.alu;
      break;
    case InstructionKind::scalar_alu:
      ++found.scalar_alu;
      break;
    case InstructionKind::branch:
      ++found.branches;
      break;
    case InstructionKind::call:
      ++found.calls;
      break;
    case InstructionKind::clock:
    case InstructionKind::other:
      break;
  }
}

using Edges = std::vector<std::vector<std::size_t>>;

/// The possible successors of each instruction.
Edges successors(const Listing& listing) {
  Edges edges(listing.code.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Instruction& each = listing.code[i];
    if (each.falls_through && i + 1 < edges.size()) edges[i].push_back(i + 1);
    for (const std::string& target : each.targets) {
      const auto label = listing.labels.find(target);
      if (label != listing.labels.end() && label->second < edges.size()) edges[i].push_back(label->second);
    }
  }
  return edges;
}

Edges reversed(const Edges& edges) {
  Edges back(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    for (const std::size_t next : edges[i]) back[next].push_back(i);
  }
  return back;
}

/// The instructions reachable from `from`, including `from`, without passing `wall`.
std::set<std::size_t> reached(const Edges& edges, std::vector<std::size_t> from, std::optional<std::size_t> wall = std::nullopt) {
  std::set<std::size_t> seen;
  while (!from.empty()) {
    const std::size_t at = from.back();
    from.pop_back();
    if (at == wall || !seen.insert(at).second) continue;
    from.insert(from.end(), edges[at].begin(), edges[at].end());
  }
  return seen;
}

/// Edges to an instruction that is still open when a depth-first search from the first one reaches
/// it again.
std::vector<std::pair<std::size_t, std::size_t>> back_edges(const Edges& edges) {
  enum class State { unseen, open, done };
  std::vector<State> states(edges.size(), State::unseen);
  // An instruction, and how many of its edges were followed.
  std::vector<std::pair<std::size_t, std::size_t>> path;
  std::vector<std::pair<std::size_t, std::size_t>> back;
  if (!edges.empty()) path.emplace_back(0, 0);
  while (!path.empty()) {
    auto& [at, followed] = path.back();
    states[at] = State::open;
    if (followed == edges[at].size()) {
      states[at] = State::done;
      path.pop_back();
      continue;
    }
    const std::size_t next = edges[at][followed++];
    if (states[next] == State::open) back.emplace_back(at, next);
    if (states[next] == State::unseen) path.emplace_back(next, 0);
  }
  return back;
}

}  // namespace

std::uint64_t Counts::number(InstructionKind kind, std::optional<Space> space) const {
  std::uint64_t sum = 0;
  for (const auto& [access, count] : accesses) {
    if (access.kind == kind && (!space || access.space == *space)) sum += count;
  }
  return sum;
}

namespace {

/// Loops by their headers.
using Bodies = std::map<std::size_t, std::set<std::size_t>>;

/// The natural loops.
Bodies natural_loops(const Listing& listing) {
  const Edges after = successors(listing);
  const Edges before = reversed(after);
  Bodies bodies;
  for (const auto& [last, header] : back_edges(after)) {
    std::set<std::size_t>& body = bodies[header];
    body.insert(header);
    body.merge(reached(before, {last}, header));
  }
  return bodies;
}

std::vector<Loop> innermost_of(const Bodies& bodies) {
  std::vector<Loop> innermost;
  for (const auto& [header, body] : bodies) {
    const auto is_inside = [header = header, &body = body](const auto& other) {
      return other.first != header && body.contains(other.first);
    };
    if (std::ranges::none_of(bodies, is_inside)) innermost.push_back({header, {body.begin(), body.end()}});
  }
  return innermost;
}

std::vector<Loop> outermost_of(const Bodies& bodies) {
  std::vector<Loop> outermost;
  for (const auto& [header, body] : bodies) {
    const auto is_around = [header = header](const auto& other) {
      return other.first != header && other.second.contains(header);
    };
    if (std::ranges::none_of(bodies, is_around)) outermost.push_back({header, {body.begin(), body.end()}});
  }
  return outermost;
}

bool accesses(const Listing& listing, const std::set<std::size_t>& body) {
  return std::ranges::any_of(body, [&](std::size_t i) {
    const InstructionKind kind = listing.code[i].kind;
    return kind == InstructionKind::load || kind == InstructionKind::store || kind == InstructionKind::atomic;
  });
}

constexpr std::ptrdiff_t kMostClocksOfWait = 3;

/// Whether a loop only waits: either it accesses no memory and reads a clock in halves until both
/// agree (NVIDIA's Vulkan driver), or it is in a loop that accesses memory and lets the subgroup
/// vote until its lanes are together (ptxas for Turing).
bool waits(const Listing& listing, const Bodies& bodies, std::size_t header) {
  const std::set<std::size_t>& body = bodies.at(header);
  if (accesses(listing, body)) return false;
  const auto clocks = std::ranges::count_if(body, [&](std::size_t i) { return listing.code[i].kind == InstructionKind::clock; });
  if (clocks > kMostClocksOfWait) return false;  // a chain of readings
  if (clocks > 0) return true;
  if (std::ranges::none_of(body, [&](std::size_t i) { return listing.code[i].votes; })) return false;
  return std::ranges::any_of(bodies, [&](const auto& other) {
    return other.first != header && other.second.contains(header) && accesses(listing, other.second);
  });
}

Bodies working_loops(const Listing& listing) {
  const Bodies every = natural_loops(listing);
  Bodies bodies = every;
  std::erase_if(bodies, [&](const auto& each) { return waits(listing, every, each.first); });
  return bodies;
}

/// Keeps loops between the first and the last clock reading; all if no clock is read.
void keep_timed(const Listing& listing, std::vector<Loop>& loops) {
  std::vector<std::size_t> clocks;
  for (std::size_t i = 0; i < listing.code.size(); ++i) {
    if (listing.code[i].kind == InstructionKind::clock) clocks.push_back(i);
  }
  if (clocks.empty()) return;
  const Edges after = successors(listing);
  const auto behind = reached(after, clocks);
  const auto ahead = reached(reversed(after), clocks);
  std::erase_if(loops, [&](const Loop& loop) { return !behind.contains(loop.header) || !ahead.contains(loop.header); });
}

}  // namespace

std::vector<Loop> innermost_loops(const Listing& listing) { return innermost_of(natural_loops(listing)); }

Counts counts(const Listing& listing) {
  Counts found;
  for (const Instruction& each : listing.code) add(found, each);
  return found;
}

Counts counts(const Listing& listing, const Loop& loop) {
  Counts found;
  for (const std::size_t i : loop.body) add(found, listing.code[i]);
  return found;
}

std::uint64_t decisions(const Listing& listing, const Loop& loop) {
  const Edges after = successors(listing);
  const std::set<std::size_t> body(loop.body.begin(), loop.body.end());
  return static_cast<std::uint64_t>(std::ranges::count_if(body, [&](std::size_t at) {
    std::set<std::size_t> next;
    for (const std::size_t to : after[at]) {
      if (body.contains(to)) next.insert(to);
    }
    return next.size() > 1;
  }));
}

std::optional<Loop> timed_loop(const Listing& listing, std::optional<InstructionKind> kind) {
  std::vector<Loop> loops = innermost_of(working_loops(listing));
  keep_timed(listing, loops);
  if (loops.empty()) return std::nullopt;
  const auto rank = [&](const Loop& loop) {
    const Counts held = counts(listing, loop);
    if (kind) return static_cast<std::int64_t>(held.number(*kind));
    std::int64_t all = 0;
    for (const auto& [access, count] : held.accesses) all += static_cast<std::int64_t>(count);
    return -all;
  };
  return *std::max_element(loops.rbegin(), loops.rend(), [&](const Loop& a, const Loop& b) { return rank(a) < rank(b); });
}

std::optional<Loop> timed_turn(const Listing& listing) {
  std::vector<Loop> loops = outermost_of(working_loops(listing));
  keep_timed(listing, loops);
  const auto longest = std::ranges::max_element(loops, {}, [](const Loop& loop) { return loop.body.size(); });
  return longest == loops.end() ? std::nullopt : std::optional(*longest);
}

}  // namespace percycle::isa
