// In: data and settings, or a model file. Out: the class Model of _core and what it can do.
#include "fitted.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <map>

#include "base/error.h"
#include "fitted_lists.h"
#include "gil.h"
#include "listener.h"
#include "log.h"
#include "model/export.h"
#include "rank/correction.h"
#include "train/run.h"

namespace evenkeel::python {
namespace {

constexpr const char* kUserKind = "user_id_type";  // notes of a model trained from memory
constexpr const char* kItemKind = "item_id_type";

std::string kind_of(const model::Model& model, const char* note) {
  const auto found = model.notes.find(note);
  return found == model.notes.end() ? "file" : found->second;
}

Settings settings_of(const nb::dict& values) {
  Settings settings = train::run_settings();
  set_all(settings, values);
  return settings;
}

std::map<std::string, std::string> notes_of(const IdKinds& kinds) {
  if (kinds.users == "file") return {};
  return {{kUserKind, kinds.users}, {kItemKind, kinds.items}};
}

// (model, result.json's text, the exception that ended training early or None)
nb::tuple fit(nb::object source, bool consume, const nb::dict& values, const std::string& out,
              bool overwrite, bool resume, nb::object on_epoch, nb::object on_message) {
  const Settings settings = settings_of(values);
  Listener listener(std::move(on_epoch), std::move(on_message),
                    [](model::Model model) { return nb::cast(Fitted(std::move(model))); });
  train::RunRequest request{.data = {}, .out = out, .resume = resume, .overwrite = overwrite};
  train::FinishedRun run;
  try {
    if (nb::isinstance<PyDataset>(source)) {
      PyDataset& set = nb::cast<PyDataset&>(source);
      request.notes = notes_of(set.kinds);
      const ReleasedGil free;
      run = train::fit_model(request, consume ? std::move(set.data) : set.data, settings, listener,
                             listener.stop());
    } else {
      request.data = text_from_python(source);
      const ReleasedGil free;
      run = train::fit_model(request, settings, listener, listener.stop());
    }
  } catch (const Error&) {
    if (listener.raised().is_none()) throw;
    return nb::make_tuple(nb::none(), "{}", listener.raised());
  }
  const std::string result = run.result.dump();
  return nb::make_tuple(Fitted(std::move(run.model)), result, listener.raised());
}

nb::ndarray<nb::numpy, std::int64_t> rows_of_ids(const data::Ids& ids, const std::string& kind,
                                                 nb::handle wanted) {
  std::vector<std::int64_t> rows = find_rows(ids, kind, wanted);
  const std::size_t size = rows.size();
  return to_numpy(std::move(rows), {size});
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<model::Model>(module, "PlainModel");
  nb::class_<Fitted, model::Model>(module, "Model")
      .def_static(
          "load",
          [](const std::string& path) {
            const ReleasedGil free;
            return Fitted(model::load_model(path));
          },
          nb::arg("path"))
      .def(
          "save",
          [](const model::Model& model, const std::string& path) {
            const ReleasedGil free;
            model::save_model(model, path);
          },
          nb::arg("path"))
      .def(
          "export",
          [](const model::Model& model, const std::string& format, const std::string& out,
             double debias) {
            const ReleasedGil free;
            model::Model copy = model;
            Threads threads;
            rank::bake_correction(copy, debias, threads);
            model::export_model(copy, format, out);
          },
          nb::arg("format"), nb::arg("out"), nb::arg("debias"))
      .def_prop_ro("shape",
                   [](const model::Model& model) {
                     return nb::make_tuple(model.users.rows(), model.items.rows());
                   })
      .def_prop_ro(
          "users",
          [](nb::handle_t<Fitted> self) { return view(self, nb::cast<const Fitted&>(self).users); })
      .def_prop_ro(
          "items",
          [](nb::handle_t<Fitted> self) { return view(self, nb::cast<const Fitted&>(self).items); })
      .def_prop_rw(
          "debias", [](const model::Model& model) { return model.debias; },
          [](model::Model& model, double strength) { model.debias = rank::check_debias(strength); })
      .def_prop_ro("temperature", [](const model::Model& model) { return model.temperature; })
      .def_prop_ro(
          "score",
          [](const model::Model& model) { return std::string(model::score_name(model.score)); })
      .def_prop_ro("user_kind", [](const model::Model& model) { return kind_of(model, kUserKind); })
      .def_prop_ro("item_kind", [](const model::Model& model) { return kind_of(model, kItemKind); })
      .def("user_ids",
           [](const model::Model& m) { return ids_to_python(m.user_ids, kind_of(m, kUserKind)); })
      .def("item_ids",
           [](const model::Model& m) { return ids_to_python(m.item_ids, kind_of(m, kItemKind)); })
      .def(
          "user_rows",
          [](const model::Model& m, nb::iterable ids) {
            return rows_of_ids(m.user_ids, kind_of(m, kUserKind), ids);
          },
          nb::arg("ids"))
      .def(
          "item_rows",
          [](const model::Model& m, nb::iterable ids) {
            return rows_of_ids(m.item_ids, kind_of(m, kItemKind), ids);
          },
          nb::arg("ids"))
      .def("rank", rank, nb::arg("vectors"), nb::arg("against_users"), nb::arg("cosine"),
           nb::arg("known").none(), nb::arg("liked").none(), nb::arg("filtered").none(),
           nb::arg("only").none(), nb::arg("k"), nb::arg("threads"), nb::arg("debias"),
           nb::arg("rerank").none(), nb::arg("history_users").none(),
           nb::arg("history_items").none())
      .def("rank_row", rank_row, nb::arg("row"), nb::arg("item"), nb::arg("filter_seen"),
           nb::arg("k"), nb::arg("debias"))
      .def("seen", seen, nb::arg("users"), nb::arg("rated_low"))
      .def("fold_in", fold, nb::arg("indptr"), nb::arg("indices"), nb::arg("threads"))
      .def("fold_in_items", fold_items, nb::arg("indptr"), nb::arg("indices"), nb::arg("threads"));
  module.def("fit", fit, nb::arg("source"), nb::arg("consume"), nb::arg("settings"), nb::arg("out"),
             nb::arg("overwrite"), nb::arg("resume"), nb::arg("on_epoch"), nb::arg("on_message"));
  module.def("run_fields", [] { return describe(train::run_settings()); });
}

}  // namespace evenkeel::python
