// In: rows of all ranks. Out: stretches of them on the first.
#include "train/row_stream.h"

#include <algorithm>

#include "base/error.h"

namespace evenkeel::train {
namespace {

constexpr std::size_t kStretchFloats = std::size_t{1} << 20;

}  // namespace

io::SafetensorsWriter::FetchedRows RowStream::add(const Matrix& table,
                                                  std::span<const std::size_t> cuts) {
  EVENKEEL_CHECK(cuts.back() == table.rows());
  const std::size_t at_once = std::max<std::size_t>(1, kStretchFloats / table.stride());
  const std::size_t number = tables_.size();
  tables_.push_back({&table, {cuts.begin(), cuts.end()}, at_once});
  return {table.rows(), table.dim(), table.stride(), at_once,
          [this, number](std::size_t first, std::size_t) {
            EVENKEEL_CHECK(number == table_ && first == row_);
            return next();
          }};
}

const float* RowStream::next() {
  const Table& table = tables_[table_];
  const std::size_t stride = table.rows->stride(), first = row_;
  const std::size_t count = std::min(table.at_once, table.rows->rows() - first);
  std::vector<std::size_t> cuts;
  for (const std::size_t cut : table.cuts) {
    cuts.push_back((std::clamp(cut, first, first + count) - first) * stride * sizeof(float));
  }
  const auto rank = static_cast<std::size_t>(ranks_.rank());
  stretch_.resize(kStretchFloats + stride);
  const std::size_t begin = cuts[rank] / sizeof(float), end = cuts[rank + 1] / sizeof(float);
  if (begin < end) {
    std::copy_n(table.rows->row(first) + begin, end - begin, stretch_.data() + begin);
  }
  ranks_.gather(stretch_.data(), cuts);
  row_ = first + count;
  if (row_ == table.rows->rows()) {
    ++table_;
    row_ = 0;
  }
  return stretch_.data();
}

void RowStream::finish() {
  while (table_ < tables_.size()) next();
}

}  // namespace evenkeel::train
