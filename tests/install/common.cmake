# In: the words of CMakeLists.txt. Out: run(), which ends the test when a command fails, and the
# options that examples/cpp is configured with.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${code}:\n${text}")
  endif()
  set(output "${text}" PARENT_SCOPE)
endfunction()

set(flags "${FLAGS}")
if(SANITIZE)
  string(APPEND flags " -fsanitize=${SANITIZE}")
endif()
set(configure ${CMAKE_COMMAND} -S ${SOURCE}/examples/cpp -G ${GENERATOR}
  -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_FLAGS=${flags})
