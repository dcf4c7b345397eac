// evenkeel for C++ programs. In: this one header; out: everything a program needs: read, train,
// recommend, measure, save.
#pragma once

#include "evenkeel/error.h"
#include "evenkeel/interaction_log.h"
#include "evenkeel/options.h"
#include "evenkeel/recommender.h"
