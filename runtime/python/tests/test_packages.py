"""What the wheel brings beside the module: the command, the OpenCL driver, types; and programs without numpy."""

import os
import subprocess
import sys
import sysconfig

import pytest

import clforge

WITHOUT_NUMPY = """
import sys
sys.modules["numpy"] = None
import array, clforge
device = clforge.Device()
program = device.program("kernel void twice(global float *a, float by) { a[get_global_id(0)] *= by; }")
a = array.array("f", [1, 2, 3])
program.twice(a, 2)
b = device.array(a)
program.twice(b, 0.5).wait()
try:
    program.twice(array.array("d", [1]), 2)
except TypeError as error:
    print(error)
print(a.tolist(), b.tolist(), bytearray(b.tobytes()) == bytearray(array.array("f", [1, 2, 3])))
"""

PYOPENCL = """
import numpy as np, pyopencl as cl
platform, = [p for p in cl.get_platforms() if p.name == "clforge"]
context = cl.Context(platform.get_devices()[:1])
queue = cl.CommandQueue(context)
program = cl.Program(context, "kernel void twice(global float *a) { a[get_global_id(0)] *= 2; }").build()
a = np.arange(10, dtype=np.float32)
buffer = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=a)
program.twice(queue, a.shape, None, buffer)
result = np.empty_like(a)
cl.enqueue_copy(queue, result, buffer)
assert (result == a * 2).all(), result
print("right on", platform.get_devices()[0].name)
"""

PYOPENCL_ARRAYS = """
import numpy as np, pyopencl as cl, pyopencl.array, pyopencl.reduction
platform, = [p for p in cl.get_platforms() if p.name == "clforge"]
context = cl.Context(platform.get_devices()[:1])
queue = cl.CommandQueue(context)
a = np.random.default_rng(1).integers(0, 1000, 10000).astype(np.int32)
b = cl.array.to_device(queue, a)
assert ((b * 3 + b).get() == a * 4).all()
assert int(cl.array.sum(b).get()) == a.sum()
print("right")
"""


def run(*command, **options):
    """Runs without any setting that leads OpenCL's loader to a driver."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OCL_ICD", "OPENCL_"))}
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, timeout=300, **options)
    return done.returncode, done.stdout.decode()


def test_without_numpy():
    code, text = run(sys.executable, "-c", WITHOUT_NUMPY)
    assert code == 0, text
    assert "points to 'float' (float32), but the array's elements are float64" in text
    assert "[2.0, 4.0, 6.0] [1.0, 2.0, 3.0] True" in text


def test_the_command():
    command = os.path.join(sysconfig.get_path("scripts"), "clforge")
    assert run(command, "--version") == (0, "clforge {}\n".format(clforge.__version__))
    assert run(sys.executable, "-m", "clforge", "--version") == (0, "clforge {}\n".format(clforge.__version__))
    code, text = run(sys.executable, "-m", "clforge", "run", "nothing.cl")
    assert code == 2 and "error" in text


def test_types_are_there():
    folder = os.path.dirname(clforge.__file__)
    assert os.path.exists(os.path.join(folder, "py.typed")) and os.path.exists(os.path.join(folder, "_clforge.pyi"))
    for name in clforge.__all__:
        assert getattr(clforge, name).__doc__, name


@pytest.mark.parametrize("script", [PYOPENCL, PYOPENCL_ARRAYS])
def test_pyopencl_finds_the_driver(script, tmp_path):
    pytest.importorskip("pyopencl", reason="PyOpenCL is not installed")
    (tmp_path / "script.py").write_text(script)
    code, text = run(sys.executable, str(tmp_path / "script.py"), cwd=str(tmp_path))
    assert code == 0, text
    assert "right" in text


def test_types_of_the_module(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    program = tmp_path / "program.py"
    program.write_text(
        "import clforge\n"
        "event: clforge.Event = clforge.Device().program('').k(1, global_size=(1, 2))\n"
        "words: bytes = clforge.compile('').spirv\n"
        "wrong: str = clforge.compile('').spirv\n"
    )
    code, text = run(sys.executable, "-m", "mypy", "--strict", "-p", "clforge", cwd=str(tmp_path))
    assert code == 0, text
    code, text = run(sys.executable, "-m", "mypy", "--strict", str(program), cwd=str(tmp_path))
    assert code == 1 and "program.py:4" in text and "Found 1 error" in text, text
