#!/usr/bin/env bash
# In: a manylinux_2_34 image (AlmaLinux 9). Out: the libraries that the wheel is built with; the
# same ones that ./run installs on Debian, by their names there.
set -euo pipefail
dnf install -y epel-release
dnf config-manager --set-enabled crb
dnf install -y ninja-build pkgconf-pkg-config highway-devel fmt-devel json-devel cli11-devel \
  tomlplusplus-devel zlib-devel libzstd-devel
# Headers alone; not packaged for every architecture.
if ! dnf install -y Random123-devel; then
  version=1.14.0
  curl -fsSL "https://github.com/DEShawResearch/random123/archive/refs/tags/v$version.tar.gz" |
    tar -xz -C /tmp
  cp -r "/tmp/random123-$version/include/Random123" /usr/include/
fi
