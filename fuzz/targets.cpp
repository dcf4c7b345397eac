// The one list of targets: a new reader of files is one entry here.
#include "targets.h"

#include <zlib.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <memory>

#include "data/load.h"
#include "data/options.h"
#include "experiment/plan.h"
#include "model/model.h"
#include "train/checkpoint.h"
#include "train/run.h"

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

Dataset small_data() {
  Ids users, items;
  for (int k = 0; k < 6; ++k) users.insert("u" + std::to_string(k));
  for (int k = 0; k < 8; ++k) items.insert("i" + std::to_string(k));
  std::vector<Pair> pairs;
  for (Row u = 0; u < 6; ++u) {
    for (Row k = 0; k < 3; ++k) pairs.push_back({u, (u + 2 * k) % 8});
  }
  return make_dataset("small", users, items, pairs, {}, {});
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
           zipped(csv, folder + "/seed.gz")},
          [](const std::string& path) {
            Threads threads(1);
            load_data(path, Settings(data_fields()), threads);
          }};
}

Target model(const std::string& folder) {
  const Dataset data = small_data();
  Model small;
  small.users = Matrix(6, 3);
  small.items = Matrix(8, 3);
  small.user_ids = data.users;
  small.item_ids = data.items;
  small.known = data.items_of;
  small.item_popularity = data.item_popularity;
  small.user_popularity = data.user_popularity;
  small.notes["loss"] = "bc";
  small.extra_tables["twin"] = Matrix(8, 3);
  save_model(small, folder + "/seed.safetensors");
  return {"model", {content(folder + "/seed.safetensors")}, [](const std::string& path) {
            load_model(path);
          }};
}

// A training after one epoch; its checkpoint, damaged, must not be taken for one.
struct Training {
  Dataset data = small_data();
  Settings settings = run_settings();
  Threads threads{1};
  std::unique_ptr<Trainer> trainer;

  Training() {
    for (const auto& [name, value] :
         {std::pair{"loss", "softmax"}, {"dim", "4"}, {"negatives", "2"}, {"batch", "4"}}) {
      settings.set(name, std::string_view(value));
    }
    resolve_defaults(settings);
    fit_to_data(settings, data.interactions());
    renew();
  }
  void renew() { trainer = std::make_unique<Trainer>(data, settings, threads); }
};

Target checkpoint(const std::string& folder) {
  const auto training = std::make_shared<Training>();
  Observer silent;
  const std::atomic<bool> stop{false};
  training->trainer->prepare(silent, stop);
  training->trainer->run_epoch(silent, stop);
  save_checkpoint(*training->trainer, training->settings, training->data,
                  folder + "/seed.checkpoint");
  return {
      "checkpoint", {content(folder + "/seed.checkpoint")}, [training](const std::string& path) {
        training->renew();
        restore_checkpoint(*training->trainer, training->settings, training->data, path);
      }};
}

Target settings() {
  return {"settings",
          {run_settings().to_toml(), "loss = \"bc\"\ntau = 0.1\n"},
          [](const std::string& path) { run_settings().load_toml(path); }};
}

Target experiment() {
  return {"experiment",
          {"title = \"small\"\nseeds = [1, 2]\n[tuning]\nkind = \"halving\"\ncandidates = 4\n"
           "[common]\nepochs = 3\n[[data]]\nname = \"A\"\npath = \"a\"\ntests = [\"test\"]\n"
           "[[encoder]]\nname = \"MF\"\noptions = { encoder = \"mf\" }\n[[method]]\nname = \"BC\"\n"
           "ours = true\noptions = { loss = \"bc\" }\nsearch = { tau = [0.1, 0.2] }\n"
           "[paper.\"A\".\"MF\"]\n\"BC\" = { test = [0.1, 0.2] }\n"},
          [](const std::string& path) { read_plan(path); }};
}

}  // namespace

std::vector<Target> targets(const std::string& folder) {
  return {interactions(folder), model(folder), checkpoint(folder), settings(), experiment()};
}

}  // namespace evenkeel::fuzz
