#include "stats/least_squares.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace percycle::least_squares_test {
namespace {

using doctest::Approx;

Eigen::MatrixXd straight_line() {
  Eigen::MatrixXd columns(4, 2);
  columns << 1, 0, 1, 1, 1, 2, 1, 3;
  return columns;
}

TEST_CASE("least squares: coefficients, their errors and the residual of a straight line") {
  const auto fit = fit_columns(straight_line(), as_column({1, 3, 2, 6}));
  REQUIRE(fit);
  CHECK(fit->coefficients(0) == Approx(0.9));
  CHECK(fit->coefficients(1) == Approx(1.4));
  // The textbook's: sum of x^2 / (n * sum of (x - mean)^2), and 1 / sum of (x - mean)^2.
  CHECK(fit->errors(0) == Approx(std::sqrt(14.0 / 20)));
  CHECK(fit->errors(1) == Approx(std::sqrt(1.0 / 5)));
  CHECK(fit->chi_square == Approx(4.2));
}

TEST_CASE("least squares: a column that depends on others is refused, and nothing else changes") {
  LeastSquares line;
  for (const Column& column : {Column(straight_line().col(0)), Column(straight_line().col(1))}) CHECK(line.add(column));
  const Column imitation = 0.1 * straight_line().col(0) - 0.7 * straight_line().col(1);
  CHECK_FALSE(line.add(imitation));
  CHECK_FALSE(line.add(Column::Zero(4)));
  CHECK(line.count() == 2);
  CHECK(line.fit(as_column({1, 3, 2, 6})).coefficients(1) == Approx(1.4));

  Eigen::MatrixXd columns(4, 3);
  columns << straight_line(), imitation;
  CHECK_FALSE(fit_columns(columns, as_column({1, 3, 2, 6})));
}

TEST_CASE("least squares: columns that are nearly alike are separated") {
  Eigen::MatrixXd columns = straight_line();
  columns.col(1) = columns.col(0) + 1e-7 * columns.col(1);
  const auto fit = fit_columns(columns, as_column({1, 3, 2, 6}));
  REQUIRE(fit);
  CHECK(fit->coefficients(1) == Approx(1.4e7).epsilon(1e-4));
  CHECK(fit->chi_square == Approx(4.2));
}

TEST_CASE("least squares: directions stay orthonormal however alike the columns are") {
  LeastSquares powers;
  const Column place = Column::LinSpaced(50, 1, 1.1);
  for (int power = 0; power < 5; ++power) powers.add(place.array().pow(power).matrix());
  REQUIRE(powers.count() == 5);
  const Eigen::MatrixXd products = powers.directions().transpose() * powers.directions();
  CHECK((products - Eigen::MatrixXd::Identity(5, 5)).cwiseAbs().maxCoeff() < 1e-14);
  CHECK(powers.rest(place).norm() < 1e-12);
}

}  // namespace
}  // namespace percycle::least_squares_test
