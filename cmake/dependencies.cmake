# In: a system. Out: the targets of the libraries that are linked, or one error that names every
# missing library and the Debian packages that bring them.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL TRUE)  # a project around this one links them, too
set(evenkeel_missing "")
set(evenkeel_apt "")

macro(evenkeel_missing_unless found name package)
  if(NOT ${found})
    list(APPEND evenkeel_missing "${name}")
    list(APPEND evenkeel_apt ${package})
  endif()
endmacro()

find_package(Threads REQUIRED)
find_package(ZLIB QUIET)
evenkeel_missing_unless(ZLIB_FOUND zlib zlib1g-dev)
find_package(fmt QUIET)
evenkeel_missing_unless(fmt_FOUND fmt libfmt-dev)
find_package(nlohmann_json QUIET)
evenkeel_missing_unless(nlohmann_json_FOUND nlohmann-json nlohmann-json3-dev)
find_package(tomlplusplus QUIET)
evenkeel_missing_unless(tomlplusplus_FOUND toml++ libtomlplusplus-dev)
if(EVENKEEL_PROGRAM OR EVENKEEL_PYTHON)
  find_package(CLI11 QUIET)
  evenkeel_missing_unless(CLI11_FOUND CLI11 libcli11-dev)
endif()
find_path(EVENKEEL_RANDOM123 Random123/philox.h)
mark_as_advanced(EVENKEEL_RANDOM123)
evenkeel_missing_unless(EVENKEEL_RANDOM123 Random123 librandom123-dev)
find_path(EVENKEEL_HNSWLIB hnswlib/hnswlib.h)  # optional: without it there is no serve --approximate
mark_as_advanced(EVENKEEL_HNSWLIB)
if(EVENKEEL_PROGRAM)
  find_package(MPI QUIET COMPONENTS C)  # optional: without it there is no evenkeel-mpi
endif()
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(HWY QUIET IMPORTED_TARGET GLOBAL libhwy)
  pkg_check_modules(ZSTD QUIET IMPORTED_TARGET GLOBAL libzstd)
  evenkeel_missing_unless(HWY_FOUND Highway libhwy-dev)
  evenkeel_missing_unless(ZSTD_FOUND zstd libzstd-dev)
else()
  evenkeel_missing_unless(PkgConfig_FOUND
    "pkg-config (and with it perhaps Highway and zstd)" "pkg-config;libhwy-dev;libzstd-dev")
endif()
if(EVENKEEL_TESTS)
  find_package(GTest QUIET)
  evenkeel_missing_unless(GTest_FOUND GoogleTest libgtest-dev)
  if(PkgConfig_FOUND)  # the tests of the server ask with a client that is not ours
    pkg_check_modules(HTTPLIB QUIET IMPORTED_TARGET GLOBAL cpp-httplib)
    evenkeel_missing_unless(HTTPLIB_FOUND cpp-httplib libcpp-httplib-dev)
  endif()
endif()

if(evenkeel_missing)
  list(JOIN evenkeel_missing ", " names)
  list(JOIN evenkeel_apt " " packages)
  message(FATAL_ERROR "evenkeel cannot be built, these are missing: ${names}.\n"
    "On Debian or Ubuntu they come with:\n  apt-get install ${packages}\n")
endif()
