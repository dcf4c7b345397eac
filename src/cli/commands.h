// The table of commands. In: a CLI11 subcommand; out: its options on it and what to do once parsed.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <span>
#include <string_view>

#include "cluster/cluster.h"

namespace evenkeel::cli {

using Action = std::function<int()>;  // returns the exit code; throws evenkeel::Error

struct Command {
  std::string_view name;
  std::string_view description;
  Action (*add)(CLI::App& app);
};

std::span<const Command> commands();

// One file each: cli/NAME_command.cpp.
Action add_demo(CLI::App& app);
Action add_synth(CLI::App& app);
Action add_stats(CLI::App& app);
Action add_split(CLI::App& app);
Action add_prepare(CLI::App& app);
Action add_train(CLI::App& app);
Action add_train(CLI::App& app, cluster::Cluster& ranks);
Action add_sweep(CLI::App& app);
Action add_experiment(CLI::App& app);
Action add_extend(CLI::App& app);
Action add_evaluate(CLI::App& app);
Action add_recommend(CLI::App& app);
Action add_similar(CLI::App& app);
Action add_find(CLI::App& app);
Action add_serve(CLI::App& app);
Action add_export(CLI::App& app);
Action add_analyze(CLI::App& app);
Action add_compare(CLI::App& app);
Action add_report(CLI::App& app);
Action add_list(CLI::App& app);

}  // namespace evenkeel::cli
