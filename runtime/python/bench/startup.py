"""Time from `import pyopencl` to the first result, with the driver of this project and with PoCL's, as whole processes too.

Usage: startup.py NAME=PYTHON NAME=PYTHON [--repeat N]. Each interpreter has PyOpenCL and one driver from a wheel; the system's
drivers are left out. Cold runs have new folders for all caches, warm runs those of a run before. The last column is the
first interpreter's time as a part of the last one's.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

SCRIPT = """
import time
begin = time.perf_counter()
import numpy as np, pyopencl as cl
device = cl.get_platforms()[0].get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
program = cl.Program(context, "kernel void twice(global float *a) { a[get_global_id(0)] *= 2; }").build()
a = np.arange(10, dtype=np.float32)
buffer = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=a)
program.twice(queue, a.shape, None, buffer)
cl.enqueue_copy(queue, a, buffer)
assert a[3] == 6
print(time.perf_counter() - begin, device.platform.name, sep=";")
"""


def run(python, caches, vendors):
    """Seconds to the first result, those of the whole process, and the platform."""
    names = ("XDG_CACHE_HOME", "CLFORGE_CACHE", "POCL_CACHE_DIR", "MESA_SHADER_CACHE_DIR", "PYOPENCL_CACHE_DIR")
    environment = dict(os.environ, OCL_ICD_VENDORS=vendors, **{name: os.path.join(caches, name) for name in names})
    for name in names:
        os.makedirs(environment[name], exist_ok=True)
    begin = time.perf_counter()
    text = subprocess.run([python, "-c", SCRIPT], env=environment, stdout=subprocess.PIPE, check=True).stdout.decode()
    whole = time.perf_counter() - begin
    seconds, platform = text.strip().split(";")
    return float(seconds), whole, platform


def vendors_of(python):
    """Where PyOpenCL's wheel looks for drivers."""
    find = "import importlib.util as u, os; print(os.path.join(os.path.dirname(u.find_spec('pyopencl').origin), '.libs'))"
    return subprocess.run([python, "-c", find], stdout=subprocess.PIPE, check=True).stdout.decode().strip()


def main():
    repeat = int(sys.argv[sys.argv.index("--repeat") + 1]) if "--repeat" in sys.argv else 9
    pythons = [argument.split("=", 1) for argument in sys.argv[1:] if "=" in argument]
    times = {}
    for name, python in pythons:
        vendors = vendors_of(python)
        with tempfile.TemporaryDirectory() as warm:
            # The first one also writes Python's own compiled files.
            platform = run(python, warm, vendors)[2]
            print("{}: {}".format(name, platform))
    for _ in range(repeat):
        for name, python in pythons:
            vendors = vendors_of(python)
            with tempfile.TemporaryDirectory() as caches:
                times.setdefault((name, "cold"), []).append(run(python, caches, vendors)[:2])
                times.setdefault((name, "warm"), []).append(run(python, caches, vendors)[:2])
    for state in ("cold", "warm"):
        for index, what in enumerate(("import to first result", "whole process")):
            medians = [statistics.median(run[index] for run in times[name, state]) for name, _ in pythons]
            shown = ", ".join("{} {:.0f} ms".format(name, median * 1e3) for (name, _), median in zip(pythons, medians))
            print("caches {}, {}: {}: {:.2f}".format(state, what, shown, medians[0] / medians[-1]))


if __name__ == "__main__":
    main()
