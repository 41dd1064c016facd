# What `make install` puts where. Components: `runtime` (libteeny.so), `development` (headers, the
# static library, CMake and pkg-config files), `compiler` (teenyc), `command` (teeny), `documentation`.
#
#   bin/teeny  bin/teenyc -> lib/teeny/toolchains/teenyc-VERSION/bin/teenyc (where libteeny looks)
#   lib/libteeny.{so,a}  lib/cmake/teeny/  lib/pkgconfig/teeny.pc
#   include/teeny/  share/man/man1/  share/doc/teeny/
#
# Nothing in it names the prefix: a tree that was moved works.
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/teeny)
set(generated ${CMAKE_CURRENT_BINARY_DIR}/install)

install(TARGETS teeny_shared EXPORT teeny
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development)
install(TARGETS teeny_static EXPORT teeny
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY include/teeny DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.h")
if(TARGET teeny)
  install(TARGETS teeny RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
endif()
install(FILES LICENSE NOTICE README.md NEWS.md DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT documentation)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation
  FILES_MATCHING PATTERN "*.md" PATTERN "deployment" EXCLUDE)

# CMake: find_package(teeny)
install(EXPORT teeny FILE teeny-targets.cmake NAMESPACE teeny:: DESTINATION ${package}
  COMPONENT development)
set(TEENY_TOOLCHAIN ${CMAKE_INSTALL_LIBDIR}/teeny/toolchains/teenyc-${PROJECT_VERSION}/bin)
configure_package_config_file(cmake/teeny-config.cmake.in ${generated}/teeny-config.cmake
  INSTALL_DESTINATION ${package} PATH_VARS TEENY_TOOLCHAIN)
write_basic_package_version_file(${generated}/teeny-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${generated}/teeny-config.cmake ${generated}/teeny-config-version.cmake
  cmake/teeny-kernels.cmake DESTINATION ${package} COMPONENT development)

# pkg-config: `teeny`, and `teeny-clang` with the flag that clang needs for files with kernels.
file(RELATIVE_PATH TEENY_PREFIX_OF_PKGCONFIG
  /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
foreach(name teeny teeny-clang)
  configure_file(cmake/${name}.pc.in ${generated}/${name}.pc @ONLY)
  install(FILES ${generated}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT development)
endforeach()

# The manual, made of the programs' own tables.
add_executable(teeny-man docs/man.c)
target_compile_definitions(teeny-man PRIVATE TEENY_VERSION="${PROJECT_VERSION}")
if(TARGET teeny)
  add_custom_command(OUTPUT ${generated}/teeny.1
    COMMAND teeny-man teeny $<TARGET_FILE:teeny> > ${generated}/teeny.1
    DEPENDS teeny-man teeny VERBATIM)
  list(APPEND manual ${generated}/teeny.1)
endif()
if(TEENY_BUILD_COMPILER)
  add_custom_command(OUTPUT ${generated}/teenyc.1
    COMMAND teeny-man teenyc > ${generated}/teenyc.1 DEPENDS teeny-man VERBATIM)
  list(APPEND manual ${generated}/teenyc.1)
  install(TARGETS teenyc RUNTIME DESTINATION ${TEENY_TOOLCHAIN} COMPONENT compiler)
  file(RELATIVE_PATH link /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${TEENY_TOOLCHAIN}/teenyc)
  file(CREATE_LINK ${link} ${generated}/teenyc SYMBOLIC)
  install(FILES ${generated}/teenyc DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT compiler)
endif()
if(manual)
  add_custom_target(teeny_manual ALL DEPENDS ${manual})
  install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT documentation)
endif()
