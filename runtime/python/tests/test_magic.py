"""The magic of notebooks, with a stand-in for IPython."""

import numpy as np
import pytest

import clforge


class Notebook:
    """What the magic uses of IPython."""

    def __init__(self, **variables):
        self.user_ns = variables
        self.magics = {}

    def register_magic_function(self, function, kind, name):
        self.magics[name] = function

    def push(self, variables):
        self.user_ns.update(variables)


def test_kernels_of_a_cell_become_functions(device):
    notebook = Notebook(cl_device=device)
    clforge.load_ipython_extension(notebook)
    notebook.magics["clforge"]("-DN=3", "kernel void times(global int *a) { a[get_global_id(0)] *= N; }")
    a = np.arange(4, dtype=np.int32)
    notebook.user_ns["times"](a)
    np.testing.assert_array_equal(a, [0, 3, 6, 9])
    assert notebook.user_ns["cl_program"].kernels.keys() == {"times"}


def test_errors_of_a_cell_are_raised_and_shown_without_a_traceback():
    notebook = Notebook()
    clforge.load_ipython_extension(notebook)
    with pytest.raises(clforge.CompileError, match="use of undeclared identifier 'x'") as caught:
        notebook.magics["clforge"]("", "kernel void k() { x; }")
    shown = "\n".join(caught.value._render_traceback_())
    assert shown.startswith("CompileError: ") and "<cell>:1:19" in shown and "_magic.py" not in shown
    with pytest.raises(ValueError, match="--nothing"):
        notebook.magics["clforge"]("--nothing", "kernel void k() {}")
    assert "cl_program" not in notebook.user_ns


@pytest.mark.parametrize("given, text", [(0, "Device.0."), ("GPU", "Device.'GPU'."), ([], "Device..")])
def test_the_device_of_a_notebook_is_a_device(given, text):
    notebook = Notebook(cl_device=given)
    clforge.load_ipython_extension(notebook)
    with pytest.raises(TypeError, match="the variable cl_device is .*, but has to be a device: cl_device = clforge." + text):
        notebook.magics["clforge"]("", "kernel void k() {}")


def test_a_notebook_without_a_device_gets_one():
    notebook = Notebook()
    clforge.load_ipython_extension(notebook)
    notebook.magics["clforge"]("", "kernel void one(global int *a) { a[get_global_id(0)] = 1; }")
    a = notebook.user_ns["cl_device"].zeros(3, "int")
    notebook.user_ns["one"](a)
    assert a.tolist() == [1, 1, 1]


def test_in_ipython(tmp_path, monkeypatch):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    shell = pytest.importorskip("IPython.core.interactiveshell", reason="IPython is not installed").InteractiveShell()
    shell.run_line_magic("load_ext", "clforge")
    failed = shell.run_cell("%%clforge\nkernel void k() { x; }")
    assert not failed.success and isinstance(failed.error_in_exec, clforge.CompileError)
    assert shell.run_cell("%%clforge -DN=3\nkernel void k(global int *a) { *a = N; }").success
    assert shell.run_cell("a = cl_device.zeros(1, 'int')\nk(a)\nassert a.item() == 3").success
