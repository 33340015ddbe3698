#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

// Includes Eigen, which takes seconds to compile: for the .cpp files and headers of this folder that fit, and for no other header.

namespace percycle {

/// One value for each place, divided by the place's error: weighted least squares are plain ones then.
using Column = Eigen::VectorXd;
inline auto as_column(const std::vector<double>& values) {
  return Column::Map(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// Fits values as a sum of columns, each times a coefficient. The columns become orthonormal directions (Gram-Schmidt), so that one more column costs
/// one projection. Values are fitted afterwards, as many sets of them as wanted.
class LeastSquares {
 public:
  /// Adds a column, unless the columns before can imitate it: then nothing changes and the result is false.
  bool add(const Column& column);

  /// The number of columns added.
  Eigen::Index count() const { return directions_.cols(); }
  /// Orthonormal; together they span what the columns span.
  const Eigen::MatrixXd& directions() const { return directions_; }

  /// What the columns cannot explain of some values, or of several columns of them.
  Eigen::MatrixXd rest(const Eigen::MatrixXd& values) const;

  struct Fit {
    Eigen::VectorXd coefficients;  ///< one for each column
    Eigen::VectorXd errors;        ///< standard error of each coefficient, for values of error 1
    double chi_square = 0;         ///< sum of the squares of what the columns leave
  };
  Fit fit(const Column& values) const;

 private:
  Eigen::MatrixXd directions_;
  Eigen::MatrixXd triangle_;  ///< columns = directions_ * triangle_, upper triangular
};

/// Fits values with all of some columns; empty where one of them imitates others.
std::optional<LeastSquares::Fit> fit_columns(const Eigen::MatrixXd& columns, const Column& values);

}  // namespace percycle
