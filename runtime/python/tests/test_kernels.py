"""Kernels called as functions; the expected values are numpy's."""

import ctypes

import numpy as np
import pytest

import clforge

SCALE = "kernel void scale(global float *a, float by) { a[get_global_id(0)] *= by; }"
TYPES = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float"]


@pytest.fixture(scope="module")
def scale(device):
    return device.program(SCALE).scale


def test_an_array_of_numpy_is_written_in_place(scale):
    a = np.linspace(-3, 5, 1000, dtype=np.float32)
    expected = a * np.float32(1.5)
    scale(a, 1.5)
    np.testing.assert_array_equal(a, expected)


def test_an_array_on_the_device(device, scale):
    a = device.array(np.arange(6, dtype=np.float32))
    event = scale(a, 2)
    event.wait()
    assert event.done()
    np.testing.assert_array_equal(a, np.arange(6, dtype=np.float32) * 2)


def test_arguments_by_name_and_views_with_gaps(scale):
    a = np.arange(24, dtype=np.float32).reshape(4, 6)
    expected = a.copy()
    expected[:, ::2] *= 4
    scale(by=4.0, a=a[:, ::2], global_size=12)
    np.testing.assert_array_equal(a, expected)


def test_the_global_size_follows_the_shape(device):
    ids = device.program(
        """kernel void ids(global uint *a)
        {
            size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
            a[(z * get_global_size(1) + y) * get_global_size(0) + x] = 100 * z + 10 * y + x;
        }"""
    ).ids
    a = np.zeros((2, 3, 5), np.uint32)
    ids(a)
    z, y, x = np.indices(a.shape)
    np.testing.assert_array_equal(a, 100 * z + 10 * y + x)


def test_sizes_and_offsets(device):
    program = device.program(
        """kernel void k(global uint *a, global uint *b)
        { a[get_global_id(0)] = get_local_size(0); b[get_global_id(0)] = get_group_id(0); }"""
    )
    a, b = np.zeros(16, np.uint32), np.zeros(16, np.uint32)
    program.k(a, b, global_size=8, local_size=4, offset=4)
    np.testing.assert_array_equal(a, [0] * 4 + [4] * 8 + [0] * 4)
    np.testing.assert_array_equal(b, [0] * 8 + [1] * 4 + [0] * 4)
    with pytest.raises(ValueError, match="local_size has 2 dimensions, but global_size has 1"):
        program.k(a, b, global_size=8, local_size=(4, 1))
    with pytest.raises(ValueError, match="one to three dimensions"):
        program.k(a, b, global_size=(1, 1, 1, 1))


def test_constant_and_const_arrays_are_not_copied_back(device):
    program = device.program(
        """kernel void add(constant int *a, global const int *b, global int *sum)
        { size_t i = get_global_id(0); sum[i] = a[i] + b[i]; }"""
    )
    a, b = np.arange(5, dtype=np.int32), np.arange(5, dtype=np.int32) * 10
    a.flags.writeable = b.flags.writeable = False
    total = np.zeros(5, np.int32)
    program.add(a, b, total)
    np.testing.assert_array_equal(total, a + b)
    total.flags.writeable = False
    with pytest.raises(TypeError, match="read-only"):
        program.add(a, b, total)


@pytest.mark.parametrize("name", TYPES)
def test_every_scalar_type(device, name):
    dtype = clforge.compile("kernel void k(global {} *a) {{}}".format(name)).kernels["k"].arguments[0].layout
    a = device.zeros(4, name)
    assert dtype.type_name == name and a.dtype == name
    program = device.program("kernel void k(global {0} *a, {0} by) {{ a[get_global_id(0)] += by; }}".format(name))
    expected = np.arange(4).astype(a.dtype.numpy()) + a.dtype.numpy().type(3)
    given = np.arange(4).astype(a.dtype.numpy())
    program.k(given, 3)
    program.k(given, given.dtype.type(0))
    np.testing.assert_array_equal(given, expected)


def test_vectors(device):
    program = device.program(
        "kernel void k(global float4 *a, float4 add, int3 times) { a[get_global_id(0)] = (a[get_global_id(0)] + add) * times.z; }"
    )
    a = np.arange(12, dtype=np.float32).reshape(3, 4)
    expected = (a + [1, 2, 3, 4]) * 2
    program.k(a, (1, 2, 3, 4), np.array([0, 0, 2], np.int32))
    np.testing.assert_array_equal(a, expected)
    flat = np.arange(12, dtype=np.float32)
    program.k(flat, (1, 2, 3, 4), (0, 0, 2))
    np.testing.assert_array_equal(flat.reshape(3, 4), expected)
    with pytest.raises(TypeError, match="'int3', but 2 components were given"):
        program.k(a, (1, 2, 3, 4), (0, 0))
    with pytest.raises(TypeError, match="each has 4 numbers in memory, but the array has 10"):
        program.k(flat[:10], (1, 2, 3, 4), (0, 0, 2))


def test_complex_numbers_are_vectors_of_two(device):
    program = device.program("kernel void conj(global float2 *a) { a[get_global_id(0)].y = -a[get_global_id(0)].y; }")
    a = np.array([1 + 2j, 3 - 4j], np.complex64)
    program["conj"](a)
    np.testing.assert_array_equal(a, np.array([1 - 2j, 3 + 4j], np.complex64))


def test_structures(device):
    program = device.program(
        """typedef struct { float4 pos; int n; char name[3]; } particle;
        kernel void k(global particle *p, particle add)
        { size_t i = get_global_id(0); p[i].pos += add.pos; p[i].n *= add.n; p[i].name[2] = add.name[0]; }"""
    )
    dtype = program.records["particle"].dtype
    assert dtype.itemsize == 32 and dtype.fields["name"][1] == 20
    p = np.zeros(3, dtype)
    p["pos"] = np.arange(12).reshape(3, 4)
    p["n"] = [1, 2, 3]
    add = np.zeros((), dtype)
    add["pos"], add["n"], add["name"] = 0.5, 10, 7
    program.k(p, add)
    np.testing.assert_array_equal(p["pos"], np.arange(12).reshape(3, 4) + 0.5)
    np.testing.assert_array_equal(p["n"], [10, 20, 30])
    np.testing.assert_array_equal(p["name"], [[0, 0, 7]] * 3)
    on_device = device.array(p)
    program.k(on_device, {"pos": (0, 0, 0, 1), "n": 1, "name": (9, 9, 9)}).wait()
    np.testing.assert_array_equal(on_device.numpy()["pos"][:, 3], p["pos"][:, 3] + 1)
    np.testing.assert_array_equal(np.asarray(on_device)["name"][:, 2], [9, 9, 9])


def test_structures_that_differ(device):
    program = device.program("typedef struct { float x; int n; } pair; kernel void k(global pair *p, pair q) { *p = q; }")
    good = program.records["pair"].dtype
    for wrong, text in [
        (np.dtype([("x", "f4"), ("n", "f4")]), "'pair' with 'int n'"),
        (np.dtype([("n", "i4"), ("x", "f4")]), "'pair' with 'x' at byte 0, not 4"),
        (np.dtype([("x", "f4"), ("m", "i4")]), "'pair' with a member 'n'"),
        (np.dtype([("x", "f4"), ("n", "i8")]), "'pair' of 8 bytes"),
        (np.dtype("f4"), "'pair', a structure of 8 bytes"),
    ]:
        with pytest.raises(TypeError, match=text):
            program.k(np.zeros(1, wrong), np.zeros((), good))
    with pytest.raises(TypeError, match="'pair' with 'int n', but a value of dtype"):
        program.k(np.zeros(1, good), np.zeros((), [("x", "f4"), ("n", "f4")]))


@pytest.mark.parametrize(
    "array, by, text",
    [
        (np.zeros(3), 1.0, "points to 'float' .float32., but the array's elements are float64"),
        (np.zeros(3, ">f4"), 1.0, "points to 'float' .float32., but the array's elements are >f4"),
        (np.zeros(3, np.int32), 1.0, "points to 'float' .float32., but the array's elements are int32"),
        (np.zeros(3, "f4"), np.float64(1), "is 'float' .float32., but a value of dtype float64 was given"),
        (np.zeros(3, "f4"), "x", "is 'float', but 'x' .str. was given"),
        (5, 1.0, "takes an array, but 5 .int. was given"),
        ([1.0], 1.0, "takes an array, but .* .list. was given"),
    ],
)
def test_types_that_differ_are_named(scale, array, by, text):
    with pytest.raises(TypeError, match=text) as caught:
        scale(array, by)
    assert "of kernel 'scale'" in str(caught.value)


def test_wrong_arguments(device, scale):
    a = np.zeros(1, np.float32)
    for arguments, named, text in [
        ((a,), {}, "takes 2 arguments, but 1 was given; missing: 'float by'"),
        ((), {"by": 1}, "takes 2 arguments, but 1 was given; missing: 'global float[*] a'"),
        ((a, 1, 2), {}, "takes 2 arguments, but 3 were given$"),
        ((a,), {"to": 1}, r"has no parameter 'to' \(it has: a, by\)"),
        ((a,), {"a": a}, "argument 'a' of kernel 'scale' is given twice"),
    ]:
        with pytest.raises(TypeError, match=text):
            scale(*arguments, **named)
    with pytest.raises(AttributeError, match="there is no kernel 'grow'; the program has: scale"):
        scale.program.grow
    with pytest.raises(KeyError):
        scale.program["grow"]
    with pytest.raises(TypeError, match="give global_size"):
        device.program("kernel void k(int n) {}").k(1)
    with pytest.raises(OverflowError, match="'uchar', which cannot be 256"):
        device.program("kernel void k(global uchar *a, uchar n) { *a = n; }").k(np.zeros(1, np.uint8), 256)


@pytest.mark.parametrize("size", [10.0, "8", (8, 1.0), np.float32(8), [None]])
def test_sizes_are_whole_numbers(scale, size):
    with pytest.raises(TypeError, match="global_size is a whole number, or one to three of them, but .* was given"):
        scale(np.zeros(8, np.float32), 1, global_size=size)
    for right in [8, (8,), [8, 1], np.int64(8), np.array([8, 1]), np.array(8)]:
        scale(np.zeros(8, np.float32), 1, global_size=right)


@pytest.mark.parametrize("given, text", [(32, "32 .int."), (np.zeros(4, np.float32), "an array of shape .4,. of float32")])
def test_local_memory_is_a_number_of_bytes(device, given, text):
    program = device.program("kernel void loc(local float *f) { f[0] = 1; }")
    with pytest.raises(TypeError, match="argument 'local float[*] f' of kernel 'loc': it takes clforge.Local.bytes., but " + text):
        program.loc(given, global_size=1)


def test_numbers_of_numpy_have_a_type(device, scale):
    a = np.ones(2, np.float32)
    with pytest.raises(TypeError, match=r"dtype float64 was given; use float\(x\) or numpy.float32\(x\)"):
        scale(a, np.float64(2))
    with pytest.raises(TypeError, match=r"dtype int64 was given; use int\(x\) or numpy.int32\(x\)"):
        device.program("kernel void k(int n) {}").k(np.int64(2), global_size=1)
    scale(a, device.array([2.0], "float")[0])
    assert a.tolist() == [2, 2]


class OnlyDlpack:
    """An array of another library, without the buffer protocol."""

    def __init__(self, array):
        self.array, self.dtype, self.shape = array, "of another library", array.shape

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class OlderDlpack(OnlyDlpack):
    """The same with the form of DLPack that does not say whether memory may be written."""

    def __dlpack__(self, **options):
        return self.array.__dlpack__()


class Tensor(OlderDlpack):
    """As torch's: `numpy()` has the same memory."""

    def numpy(self):
        return self.array


def test_memory_of_dlpack_is_written(device, scale):
    older = tuple(int(part) for part in np.__version__.split(".")[:2]) < (2, 1)
    for kind in [Tensor] if older else [OnlyDlpack, Tensor]:
        a = np.arange(6, dtype=np.float32)
        scale(kind(a), 2)
        np.testing.assert_array_equal(a, np.arange(6) * 2)
        scale(kind(a.reshape(2, 3)[:, 1:]), 2, global_size=4)
        np.testing.assert_array_equal(a, [0, 4, 8, 6, 16, 20])
    fill = device.program("kernel void fill(write_only image2d_t i) { write_imagef(i, (int2)(get_global_id(0), 0), 1); }")
    picture = np.zeros((1, 2, 4), np.float32)
    fill.fill(Tensor(picture))
    assert (picture == 1).all()


def test_dlpack_that_cannot_be_written(scale):
    text = "argument 'global float[*] a' of kernel 'scale': the kernel may write it, but OlderDlpack has DLPack only"
    with pytest.raises(TypeError, match=text):
        scale(OlderDlpack(np.zeros(1, np.float32)), 2)
    with pytest.raises(TypeError, match="points to 'float' .float32., but the array's elements are float64"):
        scale(Tensor(np.zeros(1)), 2)

    class NeedsGradient(Tensor):
        def __dlpack__(self, **options):
            raise RuntimeError("Can't export tensors that require gradient, use tensor.detach()")

    with pytest.raises(TypeError, match="its memory cannot be had by DLPack: Can't export tensors that require gradient"):
        scale(NeedsGradient(np.zeros(1, np.float32)), 2)


def test_arrays_belong_to_one_device(scale):
    other = clforge.Device()
    with pytest.raises(ValueError, match=r"argument 'global float\* a' .*each clforge.Device\(\) has its own arrays"):
        scale(other.zeros(2), 2)
    program = other.program("kernel void k(read_only image2d_t i) {}")
    with pytest.raises(ValueError, match=r"has its own arrays"):
        program.k(scale.program.device.empty_image((1, 1)))


def test_local_memory_and_null(device):
    program = device.program(
        """kernel void sum(global const int *a, local int *part, global int *out, global int *unused)
        {
            int i = get_local_id(0);
            part[i] = a[i];
            barrier(CLK_LOCAL_MEM_FENCE);
            if (i == 0) { int s = 0; for (int j = 0; j < get_local_size(0); ++j) s += part[j]; *out = unused ? -1 : s; }
        }"""
    )
    a, out = np.arange(32, dtype=np.int32), np.zeros(1, np.int32)
    program["sum"](a, clforge.Local(128), out, None, global_size=32, local_size=32)
    assert out[0] == a.sum()


def test_other_arrays_of_the_host(scale):
    array = (ctypes.c_float * 3)(1, 2, 3)
    scale(array, 2)
    assert list(array) == [2, 4, 6]


def test_what_kernels_print_goes_to_sys_stdout(device, capsys):
    program = device.program('kernel void k(int n) { printf("n is %d\\n", n); }')
    program.k(7, global_size=1)
    device.finish()
    assert capsys.readouterr().out == "n is 7\n"


def test_accesses_out_of_range(device):
    program = device.program("kernel void k(global int *a) { a[get_global_id(0) + 1] = 1; }", name="k.cl", bounds_check=True)
    with pytest.raises(clforge.OutOfRangeError, match="k.cl:1:"):
        program.k(device.zeros(4, "int"))


OUT = "kernel void k(global int *a) { a[get_global_id(0) + 1] = 1; }"


@pytest.mark.parametrize("options", ["--bounds-check", "-DN=1 --sanitize=all", ["--sanitize=address"]])
def test_sanitizers_are_build_options(device, options):
    with pytest.raises(clforge.OutOfRangeError, match="k.cl:1:"):
        device.program(OUT, options, name="k.cl").k(device.zeros(4, "int"))
    # An argument does not take away what an option asks for.
    with pytest.raises(clforge.OutOfRangeError):
        device.program(OUT, options, sanitize="race").k(device.zeros(4, "int"))


@pytest.mark.parametrize("sanitize", ["address", "race,address", ["undefined", "address"], ("all",)])
def test_sanitizers_are_an_argument(device, sanitize):
    with pytest.raises(clforge.OutOfRangeError):
        device.program(OUT, sanitize=sanitize).k(device.zeros(4, "int"))


def test_mistakes_of_other_kinds(device):
    program = device.program("kernel void k(global int *a) { *a = get_global_id(0); }", sanitize="race")
    with pytest.raises(clforge.SanitizerError, match="race") as caught:
        program.k(device.zeros(1, "int"), global_size=64)
    assert not isinstance(caught.value, clforge.OutOfRangeError)
    with pytest.raises(ValueError, match="sanitize: there is no sanitizer 'rice'; the sanitizers are address, "):
        device.program(OUT, sanitize="rice")


def test_modules_are_loaded_from_their_bytes(device):
    module = clforge.compile(SCALE)
    a = np.ones(4, np.float32)
    device.load(module).scale(a, 3)
    np.testing.assert_array_equal(a, [3, 3, 3, 3])
    with pytest.raises(ValueError, match="multiple of 4"):
        device.load(b"abc")
    with pytest.raises(ValueError):
        device.load(b"\0" * 64)


def test_devices():
    found = clforge.devices()
    assert sum(device.is_default for device in found) == 1
    assert clforge.Device(found[0].name).info.index == clforge.Device(found[0].index).info.index
    with pytest.raises(clforge.DeviceError, match="there is no device 'no such GPU'"):
        clforge.Device("no such GPU")
