#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "codegen/assembly/listing.hpp"

namespace percycle::isa {

/// One kind of memory access.
struct Access {
  InstructionKind kind = InstructionKind::load;
  Space space = Space::vector;
  std::uint32_t bytes = 0;
  bool returns = false;

  bool operator==(const Access&) const = default;
  bool operator<(const Access& other) const {
    return std::tie(kind, space, bytes, returns) < std::tie(other.kind, other.space, other.bytes, other.returns);
  }
};

/// The instruction counts of a part of a listing.
struct Counts {
  std::map<Access, std::uint64_t> accesses;
  std::uint64_t alu = 0;
  std::uint64_t scalar_alu = 0;
  std::uint64_t branches = 0;
  std::uint64_t calls = 0;
  std::map<std::string, std::uint64_t> names;  ///< instructions by their names
  /// Instructions with two accesses, each counted as two above.
  std::uint64_t pairs = 0;

  /// The number of one kind, in one space or in all.
  std::uint64_t number(InstructionKind kind, std::optional<Space> space = std::nullopt) const;

  bool operator==(const Counts&) const = default;
};

/// A natural loop (Aho, Lam, Sethi, Ullman, Compilers, 2nd edition, section 9.6.6): the
/// instructions that reach a branch back to `header` without passing it, in the order of the text.
struct Loop {
  std::size_t header = 0;
  std::vector<std::size_t> body;  ///< with the header

  bool operator==(const Loop&) const = default;
};

/// The innermost loops, in the order of their headers. Assumes structured code (every cycle has one
/// entry).
std::vector<Loop> innermost_loops(const Listing& listing);

Counts counts(const Listing& listing);
Counts counts(const Listing& listing, const Loop& loop);

/// The branches of a loop after which either of two instructions of the loop may follow: not those
/// that end it or jump back.
std::uint64_t decisions(const Listing& listing, const Loop& loop);

/// The timed loop: the innermost loop between the first and the last clock reading with the most
/// accesses of that kind; without a kind (a control) the loop with the fewest accesses of any kind;
/// in a tie the last one. If no clock is read, all innermost loops count. Loops that only wait (for
/// a clock read in halves, for other lanes) are left out. Empty if there is no loop.
std::optional<Loop> timed_loop(const Listing& listing, std::optional<InstructionKind> kind);

/// The timed loop of a kernel that measures arithmetic: the longest of the outermost loops between
/// the clock readings. Loops inside it belong to its operations, such as a sine's reduction. All
/// their instructions count, also in rarely taken branches.
std::optional<Loop> timed_turn(const Listing& listing);

}  // namespace percycle::isa
