# In: the rooms below the public face. Out: one library evenkeel::evenkeel (static, or shared with
# BUILD_SHARED_LIBS) and, with EVENKEEL_INSTALL, its headers, CMake package and pkg-config file.
if(EVENKEEL_PYTHON)
  return()  # a wheel holds the engine inside its module
endif()
evenkeel_rooms_below(face rooms libraries)
list(REMOVE_ITEM libraries nlohmann_json::nlohmann_json)  # headers, used inside only
set(objects "")
foreach(room ${rooms})
  get_target_property(type evenkeel_${room} TYPE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    list(APPEND objects $<TARGET_OBJECTS:evenkeel_${room}>)
  endif()
endforeach()

add_library(evenkeel_library ${objects})
add_library(evenkeel::evenkeel ALIAS evenkeel_library)
# While the major version is 0, a new minor version may break programs.
set_target_properties(evenkeel_library PROPERTIES OUTPUT_NAME evenkeel EXPORT_NAME evenkeel
  LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_compile_features(evenkeel_library INTERFACE cxx_std_20)
target_include_directories(evenkeel_library INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
target_link_libraries(evenkeel_library PRIVATE ${libraries})

if(NOT EVENKEEL_INSTALL)
  return()
endif()
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/evenkeel)
install(TARGETS evenkeel_library EXPORT evenkeelTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/evenkeel DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/licenses DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT evenkeelTargets NAMESPACE evenkeel:: DESTINATION ${package_dir})

set(EVENKEEL_PC_REQUIRES "")
get_target_property(kind evenkeel_library TYPE)
if(kind STREQUAL "STATIC_LIBRARY")  # whoever links it links these
  set(EVENKEEL_STATIC ON)
  set(EVENKEEL_PC_REQUIRES "fmt, zlib, libhwy, libzstd, tomlplusplus")
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/evenkeelConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/evenkeelConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/evenkeelConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/evenkeelConfig.cmake
  ${PROJECT_BINARY_DIR}/package/evenkeelConfigVersion.cmake DESTINATION ${package_dir})
file(RELATIVE_PATH EVENKEEL_PC_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)  # so that it can be moved
configure_file(${PROJECT_SOURCE_DIR}/cmake/evenkeel.pc.in
  ${PROJECT_BINARY_DIR}/package/evenkeel.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/evenkeel.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
