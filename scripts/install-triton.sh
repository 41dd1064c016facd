#!/bin/sh
# Installs Triton 3.6.0 into a virtual environment: its compiler, which needs no GPU, judges the .ttir
# that teenyc prints.
set -eu
where=${1:-build/venv}
version=3.6.0
if "$where/bin/python" -c "import triton, sys; sys.exit(triton.__version__ != '$version')" 2>/dev/null; then
    echo "triton: $version is installed in $where"
    exit 0
fi
echo "triton: installing $version into $where"
mkdir -p "$(dirname "$where")"
python3 -m venv "$where"
"$where/bin/pip" install -q --disable-pip-version-check "triton==$version"
