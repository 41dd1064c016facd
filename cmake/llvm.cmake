# Finds LLVM, MLIR and clang 22 as Debian packages them, and sets how code against them is built.
#
# C++ that includes MLIR or clang headers must be compiled by clang++-22: g++ spells the type names
# behind MLIR's trait ids differently, and such a dialect links but fails at run time.
set(TEENY_LLVM_PREFIX /usr/lib/llvm-22 CACHE PATH "where LLVM 22 is installed")
find_package(MLIR REQUIRED CONFIG PATHS ${TEENY_LLVM_PREFIX}/lib/cmake/mlir NO_DEFAULT_PATH)
find_package(Clang REQUIRED CONFIG PATHS ${TEENY_LLVM_PREFIX}/lib/cmake/clang NO_DEFAULT_PATH)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 22)
  message(FATAL_ERROR "teenyc's C++ bridges need clang++-22: configure with -DCMAKE_CXX_COMPILER=clang++-22")
endif()

# How a C++ bridge is compiled: LLVM's own headers are not held to our warnings.
add_library(teeny_cxx_bridge INTERFACE)
target_compile_options(teeny_cxx_bridge INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-O1 -fno-rtti -fno-exceptions -Wno-unused-parameter>
  # What is generated asserts, with its own file's name, which is the build's.
  $<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${CMAKE_BINARY_DIR}=build>)
target_include_directories(teeny_cxx_bridge SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
target_compile_definitions(teeny_cxx_bridge INTERFACE ${LLVM_DEFINITIONS_LIST})

# Debian's archives of MLIR and clang ask for the shared libLLVM. teenyc links the archives that they
# need of it instead; lld takes from them only what is used.
llvm_map_components_to_libnames(TEENY_LLVM_ARCHIVES
  support targetparser option core binaryformat bitreader bitstreamreader remarks profiledata
  frontendopenmp frontendoffloading frontendhlsl frontenddirective frontendatomic
  windowsdriver symbolize debuginfodwarf demangle)
foreach(target ${MLIR_EXPORTED_TARGETS} ${CLANG_EXPORTED_TARGETS})
  if(TARGET ${target})
    get_target_property(needed ${target} INTERFACE_LINK_LIBRARIES)
  else()
    set(needed "")
  endif()
  if(needed)
    list(TRANSFORM needed REPLACE "^LLVM$" LLVMSupport)
    set_property(TARGET ${target} PROPERTY INTERFACE_LINK_LIBRARIES ${needed})
  endif()
endforeach()

# It also asks for shared zlib, zstd and z3. teenyc carries the first two itself and never reaches
# the third.
find_library(TEENY_ZLIB_ARCHIVE libz.a REQUIRED)
find_library(TEENY_ZSTD_ARCHIVE libzstd.a REQUIRED)
set_property(TARGET LLVMSupport PROPERTY INTERFACE_LINK_LIBRARIES
  rt dl m ${TEENY_ZLIB_ARCHIVE} ${TEENY_ZSTD_ARCHIVE} LLVMDemangle)
