"""The magic of notebooks, with a stand-in for IPython."""

import numpy as np

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


def test_errors_of_a_cell_are_shown(capsys):
    notebook = Notebook()
    clforge.load_ipython_extension(notebook)
    notebook.magics["clforge"]("", "kernel void k() { x; }")
    assert "use of undeclared identifier 'x'" in capsys.readouterr().err
