// The one list of targets: a new reader of files is one entry here.
#include "targets.h"

#include <zlib.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/error.h"
#include "data/id_map.h"
#include "data/load.h"
#include "data/options.h"
#include "experiment/experiment.h"
#include "experiment/plan.h"
#include "experiment/summary.h"
#include "model/model.h"
#include "report/report.h"
#include "train/checkpoint.h"
#include "train/complete_settings.h"
#include "train/run.h"
#include "train/run_folder.h"

namespace evenkeel::fuzz {
namespace {

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string zipped(const std::string& text, const std::string& path) {
  const gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return content(path);
}

data::Dataset small_data() {
  data::Ids users, items;
  for (int k = 0; k < 6; ++k) users.insert("u" + std::to_string(k));
  for (int k = 0; k < 8; ++k) items.insert("i" + std::to_string(k));
  std::vector<Pair> pairs;
  for (Row u = 0; u < 6; ++u) {
    for (Row k = 0; k < 3; ++k) pairs.push_back({u, (u + 2 * k) % 8});
  }
  return data::make_dataset("small", users, items, pairs, {}, {});
}

Target interactions(const std::string& folder) {
  const std::string csv =
      "user_id,item_id,rating,timestamp\na,x,5,100\na,y,3,101\nb,x,4,102\nb,\"z, "
      "\"\"2\"\"\",1,103\n"
      "c,y,2,2014-05-01\n";
  return {"interactions",
          {csv, "1\t10\t4.5\t881250949\n1\t11\t3\t881250950\n2\t10\t1\t881250951\n",
           "0 3 4 5\n1 4\n2\n3 0 1 2 3 4 5\n", "1::10::4::978300760\n2::11::5::978300761\n",
           "user_id:token\titem_id:token\trating:float\nu1\ti1\t4\nu2\ti2\t5\n", "u i\nu j\nv i\n",
           "# log\nuser,item,text\na,x,\"p,\nq\"\nuser,item,text\n#b,y,z\n",
           "{\"user\":\"a\",\"item\":1,\"rating\":4.5,\"timestamp\":\"2014-05-01\"}\n"
           "{\"item\":\"\\u00e9\\ud83d\\ude00\",\"x\":[{\"y\":null}],\"user\":7}\n",
           zipped(csv, folder + "/seed.gz")},
          [](const std::string& path) {
            Threads threads(1);
            data::load_data(path, Settings(data::data_fields()), threads);
          }};
}

Target model(const std::string& folder) {
  const data::Dataset data = small_data();
  model::Model small;
  small.users = Matrix(6, 3);
  small.items = Matrix(8, 3);
  small.user_ids = data.users;
  small.item_ids = data.items;
  small.known = data.items_of;
  small.item_popularity = data.item_popularity;
  small.user_popularity = data.user_popularity;
  small.notes["loss"] = "bc";
  small.extra_tables["twin"] = Matrix(8, 3);
  model::save_model(small, folder + "/seed.safetensors");
  return {"model", {content(folder + "/seed.safetensors")}, [](const std::string& path) {
            model::load_model(path);
          }};
}

const std::atomic<bool> kGoOn{false};

// A training after two epochs; its checkpoint, damaged, must not be taken for one.
struct Training {
  data::Dataset data = small_data();
  Settings settings = train::run_settings();
  Threads threads{1};
  std::unique_ptr<train::Trainer> trainer;

  Training() {
    for (const auto& [name, value] :
         {std::pair{"loss", "softmax"}, {"dim", "4"}, {"negatives", "2"}, {"batch", "4"}}) {
      settings.set(name, std::string_view(value));
    }
    train::resolve_defaults(settings);
    train::fit_to_data(settings, data.interactions());
    renew();
  }
  void renew() { trainer = std::make_unique<train::Trainer>(data, settings, threads); }
};

// Goes on from a checkpoint. One that is taken must end in a model that can be read, or in a loss
// that says it diverged: a bit of a table may have any value.
void go_on(Training& training, const std::string& path, const std::string& model_path) {
  training.renew();
  train::restore_checkpoint(*training.trainer, training.settings, training.data, path);
  model::Model model;
  try {
    train::Observer silent;
    training.trainer->run_epoch(silent, kGoOn);
    train::TrainedVectors trained = training.trainer->result(silent);
    model.users = std::move(trained.users);
    model.items = std::move(trained.items);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kRun) return;
    throw std::logic_error(error.what());
  }
  model.user_ids = training.data.users;
  model.item_ids = training.data.items;
  model.known = training.data.items_of;
  model.item_popularity = training.data.item_popularity;
  model.user_popularity = training.data.user_popularity;
  model::save_model(model, model_path);
  try {
    model::load_model(model_path);
  } catch (const Error& error) {
    throw std::logic_error(error.what());
  }
}

std::shared_ptr<Training> trained(const std::string& path) {
  const auto training = std::make_shared<Training>();
  train::Observer silent;
  training->trainer->prepare(silent, kGoOn);
  training->trainer->run_epoch(silent, kGoOn);
  training->trainer->run_epoch(silent, kGoOn);
  train::save_checkpoint(*training->trainer, training->settings, training->data, "", path);
  return training;
}

Target checkpoint(const std::string& folder) {
  const std::string seed = folder + "/seed.checkpoint";
  const auto training = trained(seed);
  return {"checkpoint", {content(seed)}, [training, folder](const std::string& path) {
            go_on(*training, path, folder + "/checkpoint.model");
          }};
}

// The header of a checkpoint stays whole; the input is what it says about where training stands.
Target standing(const std::string& folder) {
  const std::string seed = folder + "/seed.standing";
  const auto training = trained(seed);
  const std::string bytes = content(seed);
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof(length));
  const nlohmann::json header = nlohmann::json::parse(bytes.substr(sizeof(length), length));
  const std::string tables = bytes.substr(sizeof(length) + length);
  return {"standing",
          {header["__metadata__"]["standing"].get<std::string>()},
          [=](const std::string& path) {
            nlohmann::json changed = header;
            changed["__metadata__"]["standing"] = content(path);
            const std::string text =
                changed.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
            const std::uint64_t size = text.size();
            std::ofstream file(seed, std::ios::binary | std::ios::trunc);
            file.write(reinterpret_cast<const char*>(&size), sizeof(size));
            file << text << tables;
            file.close();
            go_on(*training, seed, folder + "/standing.model");
          }};
}

Target settings() {
  return {"settings",
          {train::run_settings().to_toml(), "loss = \"bc\"\ntau = 0.1\n"},
          [](const std::string& path) { train::run_settings().load_toml(path); }};
}

Target experiment() {
  return {"experiment",
          {"title = \"small\"\nseeds = [1, 2]\n[tuning]\nkind = \"halving\"\ncandidates = 4\n"
           "[common]\nepochs = 3\n[[data]]\nname = \"A\"\npath = \"a\"\ntests = [\"test\"]\n"
           "[[encoder]]\nname = \"MF\"\noptions = { encoder = \"mf\" }\n[[method]]\nname = \"BC\"\n"
           "ours = true\noptions = { loss = \"bc\" }\nsearch = { tau = [0.1, 0.2] }\n"
           "[paper.\"A\".\"MF\"]\n\"BC\" = { test = [0.1, 0.2] }\n"},
          [](const std::string& path) { experiment::read_plan(path); }};
}

Target id_map() {
  return {"id-map",
          {data::id_map_text(small_data().items), "row,id\n0,\"a, b\"\n1,\"say \"\"c\"\"\"\n2,d\n"},
          [](const std::string& path) { data::read_id_map(path); }};
}

// A run folder whose `file` is the input: the report must be made of it all the same.
Target run_file(const std::string& folder, std::string_view file) {
  const std::string name(file);
  const std::string run = folder + "/run-" + name;
  Settings settings = train::run_settings();
  for (const auto& [option, value] :
       {std::pair{"epochs", "2"}, {"dim", "4"}, {"negatives", "2"}, {"threads", "1"}}) {
    settings.set(option, std::string_view(value));
  }
  train::Observer silent;
  train::RunRequest request;
  request.out = run;
  request.overwrite = true;
  train::fit_model(request, small_data(), settings, silent, kGoOn);
  return {name, {content(run + "/" + name)}, [run, name](const std::string& path) {
            std::filesystem::copy_file(path, run + "/" + name,
                                       std::filesystem::copy_options::overwrite_existing);
            Threads threads(1);
            train::Observer watcher;
            report::make_report({{run}, "1.0", "evenkeel report"}, threads, watcher, kGoOn);
          }};
}

// The tables of an experiment whose file `name` is the input, on their way to the page of results.
Target table_file(const std::string& folder, const std::string& name) {
  const std::string data = folder + "/table-data", out = folder + "/tables-" + name;
  std::filesystem::create_directories(data);
  std::ofstream(data + "/train.txt") << "0 1 2 3\n1 2 3 4\n2 0 4 5\n3 1 5 0\n";
  std::ofstream(data + "/valid.txt") << "0 4\n1 0\n";
  std::ofstream(data + "/test.txt") << "0 5\n2 1\n3 3\n";
  std::ofstream(data + "/plan.toml")
      << "title = \"small\"\n[common]\nepochs = 1\ndim = 4\nnegatives = 2\n"
         "[[data]]\nname = \"A\"\npath = \".\"\n[[encoder]]\nname = \"MF\"\n"
         "[[method]]\nname = \"SSM\"\noptions = { loss = \"softmax\" }\n[[method]]\n"
         "name = \"BC\"\nours = true\nsearch = { tau = [0.1, 0.2] }\n"
         "[paper.\"A\".\"MF\"]\n\"BC\" = { test = [0.1, 0.2] }\n";
  experiment::ExperimentObserver silent;
  experiment::run_experiment(
      {experiment::read_plan(data + "/plan.toml"), out, {}, "evenkeel experiment"}, silent, kGoOn);
  return {name, {content(out + "/" + name)}, [out, name](const std::string& path) {
            std::filesystem::copy_file(path, out + "/" + name,
                                       std::filesystem::copy_options::overwrite_existing);
            experiment::results_page({{out}, {}, {}});
          }};
}

}  // namespace

std::vector<Target> targets(const std::string& folder) {
  return {interactions(folder),
          model(folder),
          checkpoint(folder),
          standing(folder),
          settings(),
          experiment(),
          id_map(),
          run_file(folder, train::run_files::kResult),
          run_file(folder, train::run_files::kEvents),
          run_file(folder, train::run_files::kConfig),
          run_file(folder, train::run_files::kModel),
          table_file(folder, "table.json"),
          table_file(folder, "cost.json")};
}

}  // namespace evenkeel::fuzz
