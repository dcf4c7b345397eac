// Vectors for other programs. In: a model, a format and a path; out: files whose plain dot product
// ranks as the model does.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace evenkeel::model {

struct ExportFormat {
  std::string_view name;
  std::string_view description;
  // Writes to `out`, gives the files written.
  std::vector<std::string> (*write)(const Model& model, const std::string& out);
};
std::span<const ExportFormat> export_formats();

// A cosine model leaves with rows of length 1 unless `raw`. An unknown format is a config error.
std::vector<std::string> export_model(const Model& model, std::string_view format,
                                      const std::string& out, bool raw = false);

// An id as one line of text holds it: %, control bytes and (unless kept) spaces as %XX.
std::string encode_id(std::string_view id, bool keep_spaces);

}  // namespace evenkeel::model
