# In: a system that seems to lack libraries. Out: one error that names all of them and the Debian
# packages that bring them.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
set(here ${BUILD}/tests/missing)
file(REMOVE_RECURSE ${here})
execute_process(COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_LIBDIR=${here}/nothing PKG_CONFIG_PATH=
  ${configure} -B ${here} -DEVENKEEL_SOURCE=${SOURCE} -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON
  -DCMAKE_DISABLE_FIND_PACKAGE_tomlplusplus=ON
  RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(code EQUAL 0)
  message(FATAL_ERROR "nothing was missed:\n${text}")
endif()
foreach(words "these are missing: fmt, toml\\+\\+, Highway, zstd"
    "apt-get install libfmt-dev libtomlplusplus-dev libhwy-dev libzstd-dev\n")
  if(NOT text MATCHES "${words}")
    message(FATAL_ERROR "'${words}' is not in:\n${text}")
  endif()
endforeach()
