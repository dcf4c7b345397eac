// A model of which several processes hold the users' vectors between them. In: the model, and the
// way to those rows; out: the file that save_model() would write.
#pragma once

#include <string>

#include "io/safetensors.h"
#include "model/model.h"

namespace evenkeel::model {

void save_model(const Model& model, const std::string& path,
                io::SafetensorsWriter::FetchedRows users);

}  // namespace evenkeel::model
