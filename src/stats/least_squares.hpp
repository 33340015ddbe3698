#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

// Eigen takes seconds to compile. Only fits include this header.

namespace percycle {

/// One value per place, divided by the place's error. Weighted least squares become plain ones.
using Column = Eigen::VectorXd;
inline auto as_column(const std::vector<double>& values) {
  return Column::Map(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// Fits values as a weighted sum of columns. Gram-Schmidt makes the columns orthonormal. So one
/// more column costs one projection, and many sets of values can be fitted afterwards.
class LeastSquares {
 public:
  /// Adds a column. If the earlier columns can imitate it, nothing changes and the result is false.
  bool add(const Column& column);

  /// The number of columns added.
  Eigen::Index count() const { return directions_.cols(); }
  /// Orthonormal; they span the same space as the columns.
  const Eigen::MatrixXd& directions() const { return directions_; }

  /// The part of some values (or of several columns) that the columns do not explain.
  Eigen::MatrixXd rest(const Eigen::MatrixXd& values) const;

  struct Fit {
    Eigen::VectorXd coefficients;  ///< one per column
    Eigen::VectorXd errors;        ///< standard error of each coefficient, for values of error 1
    double chi_square = 0;         ///< sum of the squared residuals
  };
  Fit fit(const Column& values) const;

 private:
  Eigen::MatrixXd directions_;
  Eigen::MatrixXd triangle_;  ///< columns = directions_ * triangle_, upper triangular
};

/// Fits values with all columns; empty if one column imitates others.
std::optional<LeastSquares::Fit> fit_columns(const Eigen::MatrixXd& columns, const Column& values);

}  // namespace percycle
