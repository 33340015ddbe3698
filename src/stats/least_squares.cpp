#include "stats/least_squares.hpp"

namespace percycle {
namespace {

/// If less than this share of a column's length is its own, the rest is mostly rounding.
constexpr double kLeastOwnShare = 1e-9;

}  // namespace

bool LeastSquares::add(const Column& column) {
  const Eigen::Index n = count();
  if (n == 0) directions_.resize(column.size(), 0);
  Column rest = column;
  Eigen::VectorXd shares = Eigen::VectorXd::Zero(n);
  // One pass leaves rounding errors along the directions.
  for (int pass = 0; n > 0 && pass < 2; ++pass) {
    const Eigen::VectorXd parts = directions_.transpose() * rest;
    rest -= directions_ * parts;
    shares += parts;
  }
  const double length = rest.norm();
  if (length <= kLeastOwnShare * column.norm()) return false;
  directions_.conservativeResize(Eigen::NoChange, n + 1);
  directions_.col(n) = rest / length;
  triangle_.conservativeResize(n + 1, n + 1);
  triangle_.row(n).setZero();
  triangle_.col(n).head(n) = shares;
  triangle_(n, n) = length;
  return true;
}

Eigen::MatrixXd LeastSquares::rest(const Eigen::MatrixXd& values) const {
  return values - directions_ * (directions_.transpose() * values);
}

LeastSquares::Fit LeastSquares::fit(const Column& values) const {
  const auto triangle = triangle_.triangularView<Eigen::Upper>();
  const Eigen::MatrixXd inverse = triangle.solve(Eigen::MatrixXd::Identity(count(), count()));
  return {triangle.solve(directions_.transpose() * values), inverse.rowwise().norm(), rest(values).squaredNorm()};
}

std::optional<LeastSquares::Fit> fit_columns(const Eigen::MatrixXd& columns, const Column& values) {
  LeastSquares least_squares;
  for (const auto& column : columns.colwise()) {
    if (!least_squares.add(column)) return std::nullopt;
  }
  return least_squares.fit(values);
}

}  // namespace percycle
