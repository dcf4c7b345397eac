// A run with its vectors and its data. In: a record; out: the model, and the data set in the
// model's rows, as the model itself remembers it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "data/dataset.h"
#include "model/model.h"
#include "report/run_record.h"

namespace evenkeel::report {

struct LoadedRun {
  model::Model model;
  std::shared_ptr<const data::Dataset>
      data;  // never null; without tests where the model holds none
};

// Makes every data set once, however many runs share it.
class DatasetCache {
 public:
  std::shared_ptr<const data::Dataset> get(const model::Model& model);

 private:
  std::map<std::string, std::shared_ptr<const data::Dataset>> made_;  // by fingerprint
};

// Nothing when there is no readable model; the run's state and problem then say why, and likewise
// when the model does not hold the parts it was tested on.
std::optional<LoadedRun> load_run(RunRecord& run, DatasetCache& cache);

}  // namespace evenkeel::report
