#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <memory_resource>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/curve_points.hpp"
#include "analysis/rise_fit.hpp"

namespace percycle {

/// A value for each place, divided by the place's sigma: least squares are plain dot products then.
using Column = std::vector<double>;

double dot(const Column& a, const Column& b);

class Problem;
class Remainder;

/// Shapes that are tried together.
enum class ShapeGroup { edges, tlbs, coarse };

std::span<const RiseShape* const> shapes_of(ShapeGroup group);

/// Sums of c * w and of c * w / F over ranges of places in constant time: all it takes to multiply a column c with what is linear in 1/F.
class RangeSums {
 public:
  RangeSums(const Problem& problem, const Column& column);

  /// The sum of column * (constant + slope / F) over places [from, to).
  double over(std::size_t from, std::size_t to, double constant, double slope) const {
    return constant * (sums_[from].plain - sums_[to].plain) + slope * (sums_[from].inverse - sums_[to].inverse);
  }

  /// From a place to the end: 1/F makes the last terms the smallest, and they would drown in a sum from the start.
  struct Sum {
    double plain = 0;
    double inverse = 0;
  };
  /// By place, and of none behind the last.
  const std::vector<Sum>& from_place() const { return sums_; }

 private:
  std::vector<Sum> sums_;
};

/// Shapes whose knots lie at the same u, so that their pieces from one onset on cover the same places of a curve. Between two knots a shape is
/// constant - onset * steepness / F.
struct ShapeFamily {
  std::size_t count = 0;          ///< of shapes
  std::vector<double> ends;       ///< of each piece: onset / F where it ends, 0 where nowhere
  std::vector<double> constants;  ///< of each shape, piece after piece
  std::vector<double> steepness;
};

/// The rises of height 1 that the shapes of a group make from one onset.
class Candidates {
 public:
  /// `number`: its place in RememberedColumn's products.
  Candidates(const Problem& problem, ShapeGroup group, double onset, std::size_t number);

  std::size_t count() const { return squares_.size(); }
  std::size_t number() const { return number_; }

  /// The dot product of each with itself.
  std::span<const double> squares() const { return squares_; }

  /// Writes the dot product of each with a column.
  void multiply(const RangeSums& column, double* products) const;

 private:
  const std::vector<ShapeFamily>& families_;
  double onset_;
  std::size_t number_;
  std::size_t first_;              ///< the place where all pieces begin that are first
  std::span<std::uint32_t> ends_;  ///< the place behind each piece, family after family
  std::span<double> squares_;
};

/// A number for each of some candidates, remembered by the candidates' number.
class RememberedNumbers {
 public:
  explicit RememberedNumbers(const Problem& problem) : problem_(&problem) {}

  /// nullptr where none are remembered; valid as long as the problem.
  const double* find(const Candidates& candidates) const {
    const std::size_t page = candidates.number() / kPage;
    return page < known_.size() && known_[page] != nullptr ? known_[page][candidates.number() % kPage] : nullptr;
  }
  /// Room for them, to be written right away.
  double* add(const Candidates& candidates);

 private:
  static constexpr std::size_t kPage = 64;  // one after the other they are numbered, and asked for
  const Problem* problem_;
  std::vector<const double**> known_;  ///< pages of pointers to the numbers
};

/// A column that candidates are multiplied with again and again: the products are remembered.
class RememberedColumn {
 public:
  RememberedColumn(const Problem& problem, Column values);

  const Column& values() const { return values_; }
  double length() const { return length_; }
  /// values() / length()
  const Column& unit() const { return unit_; }

  /// The dot product of each candidate with the column.
  const double* products(const Candidates& candidates) {
    const double* known = products_.find(candidates);
    return known != nullptr ? known : multiply(candidates);
  }

 private:
  const double* multiply(const Candidates& candidates);

  Column values_;
  double length_;
  Column unit_;
  RangeSums sums_;
  RememberedNumbers products_;
};

/// Onsets worth trying: every place, and steps of at most 4 % between places, or of a part of that; with a plateau of at least two places before
/// and a rise of at least two beyond.
class OnsetGrid {
 public:
  /// `finer`: how many times as many steps.
  OnsetGrid(const Problem& problem, double finer);

  const std::vector<double>& onsets() const { return onsets_; }
  const Candidates& candidates(ShapeGroup group, std::size_t onset);

 private:
  const Problem& problem_;
  std::vector<double> onsets_;
  std::array<std::vector<std::unique_ptr<Candidates>>, 3> candidates_;  ///< by group and onset
};

/// The onsets [first, last) of a grid.
struct OnsetRange {
  OnsetGrid* grid = nullptr;
  std::size_t first = 0;
  std::size_t last = 0;
};

/// The places of a curve as fitting wants them. A search asks for the same columns and products again and again: they are remembered, so that only
/// one thread may use it.
class Problem {
 public:
  /// `paged`: whether an edge may be as soft as that of a cache whose pages lie anywhere.
  explicit Problem(std::span<const CurvePlace> places, bool paged = true);
  ~Problem();
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  bool paged() const { return paged_; }
  std::size_t size() const { return places_.size(); }
  std::span<const CurvePlace> places() const { return places_; }
  const Column& weights() const { return weights_; }

  /// The values of the places.
  RememberedColumn& values() const { return *values_; }
  /// 1 everywhere.
  RememberedColumn& ones() const { return *ones_; }
  /// A rise of height 1.
  RememberedColumn& column(const RiseShape& shape, double onset) const;
  /// What some rises leave.
  Remainder& remainder(std::span<const Rise> rises) const;

  /// The index of the first place, from some place on, beyond some bytes.
  std::size_t beyond(double bytes, std::size_t from = 0) const;

  /// Those of a grid between two sizes.
  OnsetRange onsets(double low, double high, double finer = 1) const;

  /// The dot product of w and of w / F with themselves and each other: for a shape's own length.
  const RangeSums& weight_sums() const { return weight_sums_[0]; }
  const RangeSums& inverse_weight_sums() const { return weight_sums_[1]; }

  /// Memory of some values, all 0, as long as this: taking and leaving it takes next to no time.
  template <typename T>
  std::span<T> memory(std::size_t count) const {
    T* const begin = static_cast<T*>(memory_.allocate(count * sizeof(T), alignof(T)));
    std::uninitialized_value_construct_n(begin, count);
    return {begin, count};
  }

  /// Numbers for Candidates, each given once.
  std::size_t next_number() const { return next_number_++; }

  /// Rises without their heights.
  using Shapes = std::vector<std::pair<const RiseShape*, double>>;
  static Shapes shapes_of(std::span<const Rise> rises);
  /// What was searched, and the rises of the model at the start.
  using SearchKey = std::pair<int, Shapes>;
  /// Where searches ended that began there.
  std::map<SearchKey, RiseModel>& searches() const { return searches_; }

 private:
  mutable std::pmr::monotonic_buffer_resource memory_;  ///< first: all else may lie there
  std::span<const CurvePlace> places_;
  bool paged_;
  std::vector<double> bytes_;
  Column weights_;
  std::vector<RangeSums> weight_sums_;
  std::unique_ptr<RememberedColumn> values_;
  std::unique_ptr<RememberedColumn> ones_;
  struct Hash {
    std::size_t operator()(const std::pair<const RiseShape*, double>& column) const {
      return std::hash<const RiseShape*>{}(column.first) ^ std::hash<double>{}(column.second);
    }
  };
  mutable std::unordered_map<std::pair<const RiseShape*, double>, RememberedColumn, Hash> columns_;
  mutable std::map<double, OnsetGrid> grids_;  ///< by fineness
  mutable std::map<Shapes, Remainder> remainders_;
  mutable std::map<SearchKey, RiseModel> searches_;
  mutable std::size_t next_number_ = 0;
};

/// What a base and some rises of fixed shape and onset leave unexplained, and how much one more rise would explain of that.
class Remainder {
 public:
  /// Of candidates: what is left of each beside base and rises.
  struct Rest {
    std::vector<double> along;   ///< dot product with what is unexplained
    std::vector<double> across;  ///< with itself, of what base and rises cannot imitate
    std::vector<double> parts;   ///< its dot products with the directions that base and rises span, one direction after the other
  };

  Remainder(const Problem& problem, std::span<const Rise> rises);

  double chi_square() const { return dot(rest_, rest_); }
  std::size_t directions() const { return basis_.size(); }

  /// The result stays valid until the next call.
  const Rest& rest_of(const Candidates& candidates);

  /// gain() of each candidate, remembered.
  const double* gains(const Candidates& candidates);

  /// How much chi-square falls when a rise is added and the heights of all others adapt; 0 for a falling one.
  static double gain(double along, double across, double square) {
    // A rise that the others can imitate to five digits is no rise of its own.
    return along > 0 && across > 1e-5 * square ? along * along / across : 0;
  }

 private:
  void take(RememberedColumn& taken);
  void multiply(const Candidates& candidates);
  template <std::size_t kCount>
  void write_gains(const Candidates& candidates, std::size_t first, double* gains) const;

  const Problem& problem_;
  Column rest_;
  std::vector<Column> basis_;                          ///< orthonormal
  std::vector<RememberedColumn*> columns_;             ///< that the basis is made of
  std::vector<std::vector<double>> basis_in_columns_;  ///< row j: how much of each column is in direction j
  std::vector<double> explained_in_columns_;           ///< how much of each column the values have
  std::vector<const double*> products_;                ///< of the columns and some candidates
  Rest result_;
  RememberedNumbers gains_;
};

}  // namespace percycle
