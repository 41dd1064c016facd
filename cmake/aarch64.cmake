# A toolchain file: libteeny and its tests for 64-bit Arm, on a host of another kind. Programs run
# under qemu where there is one.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
find_program(TEENY_QEMU qemu-aarch64)
if(TEENY_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${TEENY_QEMU} -L /usr/aarch64-linux-gnu)
endif()
