# What the check of the rooms catches. In: SCRIPT, the check, and WORK, a folder to write in; out: an
# error if a planted violation passes or is not named.
cmake_minimum_required(VERSION 3.25)

function(plant list)
  file(REMOVE_RECURSE ${WORK})
  file(WRITE ${WORK}/CMakeLists.txt "${list}")
  file(WRITE ${WORK}/base/types.h "namespace evenkeel {\n}\n")
  file(WRITE ${WORK}/data/set.h "#include \"base/types.h\"\nnamespace evenkeel::data {\n}\n")
  file(WRITE ${WORK}/loss/loss.cpp "#include \"base/types.h\"\nnamespace evenkeel::loss {\n}\n")
endfunction()

# The check must fail and say `message`; an empty message: it must pass.
function(expect message)
  execute_process(COMMAND ${CMAKE_COMMAND} -DSOURCE=${WORK} -P ${SCRIPT}
    RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
  string(FIND "${said}" "${message}" at)
  if(message STREQUAL "" AND NOT code EQUAL 0)
    message(FATAL_ERROR "refused without cause: ${said}")
  elseif(NOT message STREQUAL "" AND (code EQUAL 0 OR at EQUAL -1))
    message(FATAL_ERROR "not caught: '${message}'; it said: ${said}")
  endif()
endfunction()

set(good "evenkeel_room(base)\nevenkeel_room(data NEEDS base)
evenkeel_room(encoder NEEDS base)\nevenkeel_room(loss NEEDS base LIBRARIES fmt::fmt)\n")
plant("${good}")
expect("")

file(APPEND ${WORK}/loss/loss.cpp "#include \"data/set.h\"\n")
expect("loss/loss.cpp: includes data/set.h, but loss does not need data")

plant("${good}")
file(APPEND ${WORK}/loss/loss.cpp "  #  include <encoder/encoder.h>\n")
expect("loss/loss.cpp: includes encoder/encoder.h, but loss does not need encoder")

plant("${good}")
file(APPEND ${WORK}/loss/loss.cpp "#include \"../data/set.h\"\n")
expect("loss/loss.cpp: includes ../data/set.h without the name of its room")

plant("evenkeel_room(base)\nevenkeel_room(encoder NEEDS base)
evenkeel_room(loss NEEDS\n  encoder base)\n")
expect("CMakeLists.txt: loss needs its sibling encoder")

plant("evenkeel_room(base)\nevenkeel_room(loss NEEDS base data)\nevenkeel_room(data NEEDS base)\n")
expect("CMakeLists.txt: loss needs data, which is not above it in the list")

plant("${good}")
file(WRITE ${WORK}/data/set.h "namespace evenkeel {\n}\n")
expect("data/set.h: 'namespace evenkeel {' is not of this room")

plant("${good}")
file(APPEND ${WORK}/data/set.h "  using namespace evenkeel;\n")
expect("data/set.h: a header says 'using namespace evenkeel'")

plant("")
expect("no rooms found")
