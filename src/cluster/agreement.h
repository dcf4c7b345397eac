// Agreement of ranks. In: what one rank meets or holds; out: the same outcome on all of them.
#pragma once

#include <map>
#include <string>

#include "base/error.h"
#include "base/function_ref.h"
#include "cluster/cluster.h"

namespace evenkeel::cluster {

// Runs the work on every rank; it calls no collective. If it throws an Error on some of them, every
// rank throws that of the first.
void together(Cluster& cluster, FunctionRef<void()> work);

// The same with work for the first rank alone, which does what there must be one of: files.
void on_first_rank(Cluster& cluster, FunctionRef<void()> work);

// The first rank's text, on every rank.
std::string text_of_first(Cluster& cluster, std::string text);

// Throws a config error that names the first entry whose value is not the first rank's on some
// rank. Every rank has the same names.
void check_alike(Cluster& cluster, const std::map<std::string, std::string>& values);

}  // namespace evenkeel::cluster
