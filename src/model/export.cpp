// In: a model. Out: its vectors and ids as npy, npz or word2vec text.
#include "model/export.h"

#include <array>
#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "base/settings.h"
#include "io/atomic_file.h"
#include "io/npy.h"
#include "model/model_data.h"

namespace evenkeel::model {
namespace {

namespace fs = std::filesystem;

void make_folder(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code || !fs::is_directory(folder)) {
    fail_run("{}: cannot make this folder ({}); choose another path", folder.string(),
             code ? code.message() : "a file has this name");
  }
}

void make_folder_of(const fs::path& file) {
  if (file.has_parent_path()) make_folder(file.parent_path());
}

void write_ids(const std::string& path, const data::Ids& ids) {
  io::AtomicFile file(path, io::Links::kFollow);
  for (Row row = 0; row < ids.size(); ++row) {
    file.write(encode_id(ids.text(row), true));
    file.write("\n");
  }
  file.commit();
}

std::vector<std::string> write_npy_folder(const Model& model, const std::string& out) {
  const fs::path folder(out);
  make_folder(folder);
  std::vector<std::string> files{
      (folder / "users.npy").string(),        (folder / "items.npy").string(),
      (folder / "user_ids.txt").string(),     (folder / "item_ids.txt").string(),
      (folder / "seen_offsets.npy").string(), (folder / "seen_items.npy").string()};
  const data::Csr seen = seen_items(model);
  io::write_npy(files[0], model.users);
  io::write_npy(files[1], model.items);
  write_ids(files[2], model.user_ids);
  write_ids(files[3], model.item_ids);
  io::write_npy(files[4], std::span<const std::uint64_t>(seen.offsets));
  io::write_npy(files[5], std::span<const std::uint32_t>(seen.columns));
  return files;
}

std::vector<std::string> write_npz_file(const Model& model, const std::string& out) {
  io::NpzWriter writer;
  writer.add("user_vectors", model.users);
  writer.add("item_vectors", model.items);
  const auto texts = [&writer](const char* name, const data::Ids& ids) {
    writer.add_texts(name, ids.size(),
                     [&ids](std::size_t row) { return ids.text(static_cast<Row>(row)); });
  };
  texts("user_ids", model.user_ids);
  texts("item_ids", model.item_ids);
  const data::Csr seen = seen_items(model);
  writer.add("seen_offsets", std::span<const std::uint64_t>(seen.offsets));
  writer.add("seen_items", std::span<const std::uint32_t>(seen.columns));
  make_folder_of(out);
  writer.write(out);
  return {out};
}

void write_word2vec_table(const std::string& path, const Matrix& table, const data::Ids& ids) {
  io::AtomicFile file(path, io::Links::kFollow);
  file.write(fmt::format("{} {}\n", table.rows(), table.dim()));
  fmt::memory_buffer line;
  for (std::size_t r = 0; r < table.rows(); ++r) {
    line.clear();
    line.append(encode_id(ids.text(static_cast<Row>(r)), false));
    // The shortest text that reads back as the same float.
    for (const float value : table.values(r))
      fmt::format_to(std::back_inserter(line), " {}", value);
    line.push_back('\n');
    file.write(line.data(), line.size());
  }
  file.commit();
}

// OUT is the items' file and the users stand beside it; a folder gets items.txt and users.txt.
std::vector<std::string> write_word2vec(const Model& model, const std::string& out) {
  const fs::path path(out);
  std::vector<std::string> files;
  if (fs::is_directory(path) || out.ends_with('/')) {
    make_folder(path);
    files = {(path / "items.txt").string(), (path / "users.txt").string()};
  } else {
    fs::path users = path;
    users.replace_filename(path.stem().string() + ".users" + path.extension().string());
    files = {out, users.string()};
    make_folder_of(path);
  }
  write_word2vec_table(files[0], model.items, model.item_ids);
  write_word2vec_table(files[1], model.users, model.user_ids);
  return files;
}

void normalise_rows(Matrix& table) {
  for (std::size_t r = 0; r < table.rows(); ++r) {
    double square = 0;
    for (const float value : table.values(r)) square += double{value} * value;
    if (square <= 0) continue;
    const double inverse = 1.0 / std::sqrt(square);
    for (float& value : table.values(r)) value = static_cast<float>(value * inverse);
  }
}

}  // namespace

std::span<const ExportFormat> export_formats() {
  static constexpr std::array<ExportFormat, 3> kTable{{
      {"npy", "a folder with users.npy, items.npy, the ids as text and what users have seen",
       write_npy_folder},
      {"npz",
       "one file with user_vectors, item_vectors, user_ids, item_ids and what users have seen",
       write_npz_file},
      {"word2vec", "text: the items in PATH, the users beside it", write_word2vec},
  }};
  return kTable;
}

std::vector<std::string> export_model(const Model& model, std::string_view format,
                                      const std::string& out, bool raw) {
  std::vector<std::string_view> names;
  for (const ExportFormat& known : export_formats()) {
    names.push_back(known.name);
    if (known.name != format) continue;
    if (raw || model.score == Score::kDot) return known.write(model, out);
    Model unit = model;
    normalise_rows(unit.users);
    normalise_rows(unit.items);
    return known.write(unit, out);
  }
  throw Error(ErrorKind::kConfig, unknown_name("format", format, names));
}

std::string encode_id(std::string_view id, bool keep_spaces) {
  std::string text;
  for (const char c : id) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte > 0x20 && byte != 0x7f && byte != '%';
    if (plain || (keep_spaces && byte == ' ')) {
      text.push_back(c);
    } else {
      text += fmt::format("%{:02X}", byte);
    }
  }
  return text;
}

}  // namespace evenkeel::model
