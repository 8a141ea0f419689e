#!/bin/sh
# Tests the kernels under all sanitizers: `sh check.sh [TESTS]`. The exit code is 0 if all tests pass and nothing is found.
set -eu
cd "$(dirname "$0")"

export CLFORGE_SANITIZE=all CLFORGE_SANITIZE_EXIT=66
export CLFORGE_REPORT="${CLFORGE_REPORT:-report.json}"
export PYOPENCL_CTX=clforge  # Other OpenCL drivers of the machine have no sanitizers.
export PYOPENCL_NO_CACHE=1   # PyOpenCL would reuse programs that it built without sanitizers.
rm -f "$CLFORGE_REPORT"

# A kernel without a host program.
clforge run kernels/sum.cl --global 128 --local 64 --arg buffer:float:range=128 --arg sums=buffer:bytes=8 \
    --sanitize=all --print sums:float > sums.txt
echo 'sums: 2016 6112' | diff sums.txt -
rm sums.txt

python -m pytest -q -p no:cacheprovider "${@:-tests}"
