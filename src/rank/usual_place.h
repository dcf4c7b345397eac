// Where rows that training placed usually stand. In: known rows, with how popular each is; out:
// what is usual for a row as popular, and new items brought there.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "base/matrix.h"
#include "base/types.h"
#include "model/model.h"

namespace evenkeel::rank {

// The mean of a value over the 64 known rows that are nearest in popularity. Values are worked out
// when they are asked for: a few new rows need few of them.
class UsualValue {
 public:
  using Known = std::vector<std::pair<std::size_t, Row>>;  // popularity and row
  UsualValue(Known known, std::function<double(Row)> value);
  bool empty() const { return known_.empty(); }
  double at(std::size_t popularity);  // 1 where nothing is known

 private:
  Known known_;  // by popularity
  std::function<double(Row)> value_;
  std::map<std::size_t, double> means_;  // by the first row that counts
};

// How the similarities of an item spread over people: their mean and covariance say it for every
// item at once. Where there are very many people, or dimensions, evenly spaced ones stand for all.
class Audience {
 public:
  Audience(const Matrix& users, model::Score score);
  // The similarity that one person in forty exceeds, were similarities normal: their mean and two
  // standard deviations. Lists are made of such people.
  double height(const float* item) const;
  // Turns the item away from the mean person until its height is at most `most`, as far as that
  // goes; its length stays.
  void lower(float* item, double most) const;

 private:
  double product(const std::vector<double>& a, const std::vector<double>& b) const;
  std::vector<double> compared(const float* item) const;  // as similarities see it

  std::size_t dim_;
  model::Score score_;
  std::vector<double> mean_;        // of people
  std::vector<double> covariance_;  // dim x dim
};

}  // namespace evenkeel::rank
