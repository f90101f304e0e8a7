# SPDX-License-Identifier: Apache-2.0
#
# Toolchain file: 64-bit Arm from a Debian machine of another architecture, tests run by emulation. Packages: see stage
# arm64 of .ci/run.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L /)
