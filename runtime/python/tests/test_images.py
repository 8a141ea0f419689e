"""Images and samplers; numpy computes what is expected."""

import struct
import zlib

import numpy as np
import pytest

import clforge

# Types of texels, with whether they are normalised.
NORMALIZED = [("u1", True), ("i1", True), ("u2", True), ("i2", True)]
NUMBERS = [("u1", False), ("i1", False), ("u2", False), ("i2", False), ("u4", False), ("i4", False)]
FLOATS = [("f2", False), ("f4", False)]
FORMATS = NORMALIZED + NUMBERS + FLOATS
AT = "int2 at = (int2)(get_global_id(0), get_global_id(1));"


def values(shape, dtype, seed=1):
    """Random values, over all of the type's for integers."""
    random = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        return random.uniform(-2, 2, shape).astype(dtype)
    limits = np.iinfo(dtype)
    return random.integers(limits.min, limits.max, shape, endpoint=True).astype(dtype)


def as_floats(array, normalized=True):
    """What `read_imagef` is, by the rules of section 8.3 of the OpenCL C specification."""
    if not normalized or array.dtype.kind == "f":
        return array.astype(np.float32)
    most = np.float32(np.iinfo(array.dtype).max)
    return np.maximum(array.astype(np.float32) / most, np.float32(-1))


@pytest.mark.parametrize("dtype, normalized", FORMATS)
@pytest.mark.parametrize("count", [1, 2, 4])
def test_every_format_is_written_and_read(device, dtype, normalized, count):
    a = values((5, 7, count), dtype)
    image = device.image(a, normalized=normalized)
    assert (image.shape, image.dtype, image.kind, image.normalized) == ((5, 7, count), dtype, "2d", normalized)
    assert image.channels == {1: "r", 2: "rg", 4: "rgba"}[count]
    assert (image.ndim, image.size, image.nbytes, len(image)) == (3, a.size, a.nbytes, 5)
    for back in (image.numpy(), np.asarray(image), np.array(image, copy=True)):
        assert back.dtype == a.dtype
        np.testing.assert_array_equal(back, a)
    b = values(a.shape, dtype, seed=2)
    image.write(b)
    np.testing.assert_array_equal(image.numpy(), b)
    assert image.tobytes() == b.tobytes()


@pytest.mark.parametrize("dtype, normalized", FORMATS)
def test_kernels_read_and_write_every_format(device, dtype, normalized):
    texel = "f" if normalized or dtype[0] == "f" else {"i": "i", "u": "ui"}[dtype[0]]
    vector = {"f": "float4", "i": "int4", "ui": "uint4"}[texel]
    program = device.program(
        """kernel void k(read_only image2d_t in, write_only image2d_t out, global %s *seen)
        { %s %s v = read_image%s(in, at); seen[at.y * get_image_width(in) + at.x] = v; write_image%s(out, at, v); }"""
        % (vector, AT, vector, texel, texel)
    )
    texels = {"f": "float", "i": "int", "ui": "uint"}[texel]
    assert [argument.texels for argument in program.kernels["k"].arguments] == [(texels,), (texels,), ()]
    a = values((6, 5, 4), dtype)
    out = device.empty_image((6, 5), "rgba", dtype, normalized=normalized)
    seen = np.zeros((6, 5, 4), {"f": np.float32, "i": np.int32, "ui": np.uint32}[texel])
    program.k(device.image(a, normalized=normalized), out, seen)
    expected = as_floats(a, normalized) if texel == "f" else a.astype(seen.dtype)
    np.testing.assert_allclose(seen, expected, rtol=0 if texel != "f" else 1e-6, atol=0 if texel != "f" else 1e-6)
    if (dtype, normalized) in (("i1", True), ("i2", True)):
        # Both of the least integers are -1.
        a = np.maximum(a, -np.iinfo(dtype).max)
    np.testing.assert_array_equal(out.numpy(), a)


def test_absent_channels(device):
    program = device.program(
        """kernel void k(read_only image2d_t in, global float4 *out)
        { %s out[at.y * get_image_width(in) + at.x] = read_imagef(in, at); }""" % AT
    )
    a = values((3, 4), "f4")
    out = np.zeros((3, 4, 4), np.float32)
    program.k(a, out)
    np.testing.assert_array_equal(out, np.dstack([a, np.zeros((3, 4, 2)), np.ones((3, 4))]))
    b = values((3, 4, 4), "u1")
    program.k(device.image(b, "bgra"), out)
    np.testing.assert_allclose(out, as_floats(b)[..., [2, 1, 0, 3]], atol=1e-6)


BLUR = """
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void blur(read_only image2d_t in, write_only image2d_t out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
            sum += read_imagef(in, edge, at + (int2)(x, y));
    write_imagef(out, at, sum / 9);
}
"""


def blurred(a):
    """The mean of 3x3 pixels, the edge repeated."""
    padded = np.pad(a.astype(np.float64), ((1, 1), (1, 1), (0, 0)), mode="edge")
    rows, columns = a.shape[:2]
    return sum(padded[y : y + rows, x : x + columns] for y in range(3) for x in range(3)) / 9


def test_a_filter_of_images(device):
    program = device.program(BLUR)
    a = values((31, 45, 4), "u1")
    image = device.image(a)
    out = device.empty_image((31, 45))
    event = program.blur(image, out)
    event.wait()
    # Half a step, and the errors of floats.
    assert np.abs(out.numpy() - blurred(a)).max() <= 0.51
    np.testing.assert_array_equal(image.numpy(), a)
    floats = device.empty_image(image.texels, "rgba", "float")
    program.blur(device.image(a.astype(np.float32)), floats)
    np.testing.assert_allclose(floats.numpy(), blurred(a), rtol=1e-5)


def test_arrays_of_the_host_are_copied_and_back(device):
    program = device.program(BLUR)
    a = values((9, 13, 4), "u1")
    out = np.zeros_like(a)
    program.blur(a, out)
    assert np.abs(out - blurred(a)).max() <= 0.51
    wide = np.zeros((9, 26, 4), np.float32)
    program.blur(a.astype(np.float32)[:, :, ::-1], wide[:, ::2])
    np.testing.assert_allclose(wide[:, ::2], blurred(a[:, :, ::-1]), rtol=1e-5)
    assert not wide[:, 1::2].any()


def test_integers_of_the_host_are_what_the_kernel_reads(device):
    program = device.program(
        """kernel void add(read_only image2d_t in, write_only image2d_t out)
        { %s write_imageui(out, at, read_imageui(in, at) + 1); }
        kernel void half_of(read_only image2d_t in, write_only image2d_t out)
        { %s write_imagef(out, at, read_imagef(in, at) / 2); }""" % (AT, AT)
    )
    for dtype in ("u1", "u2", "u4"):
        a = np.arange(12).reshape(3, 4).astype(dtype)
        out = np.zeros_like(a)
        program.add(a, out)
        np.testing.assert_array_equal(out, a + 1)
    a = np.arange(0, 240, 20, dtype=np.uint8).reshape(3, 4)
    out = np.zeros_like(a)
    program.half_of(a, out)
    np.testing.assert_array_equal(out, a // 2)
    with pytest.raises(TypeError, match="accesses texels as uint, but an image of int8 r was given, whose texels are int"):
        program.add(device.image(a.astype(np.int8), normalized=False), out)


@pytest.mark.parametrize("target", clforge.TARGETS)
def test_modules_say_what_texels_are(target):
    module = clforge.compile(
        """
        float4 at(read_only image2d_t i, sampler_t s, int2 at) { return read_imagef(i, s, at); }
        kernel void first(read_only image2d_t a, sampler_t s, write_only image2d_t b)
        { write_imagei(b, (int2)(0), convert_int4(at(a, s, (int2)(1)))); }
        kernel void second(read_only image2d_t a, sampler_t s, write_only image2d_t b)
        { write_imagef(b, (int2)(0), convert_float4(read_imageui(a, s, (int2)(get_image_width(b))))); }
        kernel void both(read_only image2d_t a, sampler_t s, global float4 *b)
        { *b = read_imagef(a, s, (int2)(0)) + convert_float4(read_imagei(a, s, (int2)(0))); }
        """,
        target=target,
    )
    texels = {name: [argument.texels for argument in kernel.arguments] for name, kernel in module.kernels.items()}
    assert texels == {
        "first": [("float",), (), ("int",)],
        "second": [("uint",), (), ("float",)],
        "both": [("float", "int"), (), ()],
    }
    declarations = [argument.declaration for argument in module.kernels["first"].arguments]
    assert declarations == ["read_only image2d_t a", "sampler_t s", "write_only image2d_t b"]


def test_texels_that_the_kernel_does_not_look_at(device):
    program = device.program(
        """kernel void k(read_only image2d_t i, global int *a)
        { a[0] = get_image_width(i); a[1] = get_image_height(i); }"""
    )
    assert program.kernels["k"].arguments[0].texels == ()
    for image in (device.image(values((3, 5), dtype), normalized=normalized) for dtype, normalized in FORMATS):
        a = np.zeros(2, np.int32)
        program.k(image, a, global_size=1)
        assert a.tolist() == [5, 3]


SAMPLE = """
kernel void sample(read_only image2d_t image, sampler_t how, global const float2 *at, global float *out)
{ int i = get_global_id(0); out[i] = read_imagef(image, how, at[i]).x; }
"""


def sample(device, image, sampler, at):
    at = np.asarray(at, np.float32)
    out = np.zeros(len(at), np.float32)
    device.program(SAMPLE).sample(image, sampler, at, out, global_size=len(at))
    return out


def bilinear(a, x, y):
    """Section 8.2 of the specification, coordinates in texels, edges repeated."""
    u, v = x - 0.5, y - 0.5
    i, j = int(np.floor(u)), int(np.floor(v))
    fx, fy = u - i, v - j

    def texel(i, j):
        return float(a[np.clip(j, 0, a.shape[0] - 1), np.clip(i, 0, a.shape[1] - 1)])

    upper = (1 - fx) * texel(i, j) + fx * texel(i + 1, j)
    lower = (1 - fx) * texel(i, j + 1) + fx * texel(i + 1, j + 1)
    return (1 - fy) * upper + fy * lower


def test_a_linear_filter(device):
    a = values((8, 8), "f4")
    # Fractions that filters with eight bits for them have exactly.
    at = [(1.0, 1.0), (2.75, 3.5), (0.5, 0.5), (4.25, 6.125), (0.0, 0.0), (8.0, 7.5), (-3.0, 2.0), (5.5, 100.0)]
    expected = [bilinear(a, x, y) for x, y in at]
    np.testing.assert_allclose(sample(device, a, clforge.Sampler("linear"), at), expected, atol=2e-3)
    normalized = clforge.Sampler("linear", normalized=True)
    np.testing.assert_allclose(sample(device, a, normalized, np.array(at) / 8), expected, atol=2e-3)


def test_addressing(device):
    a = values((4, 4), "f4")

    def at(x, y, **settings):
        return sample(device, a, clforge.Sampler(**settings), [(x, y)])[0]

    assert at(1.5, 2.5) == a[2, 1]
    assert at(9.5, 2.5) == a[2, 3]
    assert at(9.5, 2.5, addressing="clamp") == 0
    # 1.375 is the second texel of the repetition, and from behind the third.
    assert at(1.375, 0.125, addressing="repeat", normalized=True) == a[0, 1]
    assert at(1.375, 0.125, addressing="mirrored_repeat", normalized=True) == a[0, 2]
    assert at(0.625, 0.875, addressing="none", normalized=True) == a[3, 2]


def test_samplers():
    sampler = clforge.Sampler("linear", "repeat", normalized=True)
    assert (sampler.filter, sampler.addressing, sampler.normalized) == ("linear", "repeat", True)
    assert repr(sampler) == "Sampler('linear', 'repeat', normalized=True)"
    assert eval(repr(sampler), {"Sampler": clforge.Sampler}) == sampler != clforge.Sampler()
    assert len({sampler, clforge.Sampler(), clforge.Sampler("nearest", "clamp_to_edge")}) == 2
    with pytest.raises(ValueError, match="there is no filter 'cubic'; there are: nearest, linear"):
        clforge.Sampler("cubic")
    with pytest.raises(ValueError, match="there is no addressing 'wrap'; there are: none, clamp_to_edge"):
        clforge.Sampler(addressing="wrap")
    with pytest.raises(ValueError, match="repeats has normalized coordinates"):
        clforge.Sampler(addressing="repeat")


@pytest.mark.parametrize(
    "kind, shape, coordinates",
    [
        ("1d", (7,), "(int)get_global_id(0)"),
        ("1d_buffer", (7,), "(int)get_global_id(0)"),
        ("1d_array", (3, 7), "(int2)(get_global_id(0), get_global_id(1))"),
        ("2d", (3, 7), "(int2)(get_global_id(0), get_global_id(1))"),
        ("2d_array", (2, 3, 7), "(int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0)"),
        ("3d", (2, 3, 7), "(int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0)"),
    ],
)
@pytest.mark.parametrize("channels", [1, 2, 4])
def test_every_kind(device, kind, shape, coordinates, channels):
    name = "image{}_t".format(kind)
    program = device.program(
        """kernel void k(read_only %s in, write_only %s out, global int *seen)
        {
            int4 v = read_imagei(in, %s);
            write_imagei(out, %s, v * 3);
            seen[(get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0)] = v.x;
        }""" % (name, name, coordinates, coordinates)
    )
    a = values(shape + ((channels,) if channels > 1 else ()), "i2") // 4
    image = device.image(a, kind=kind, normalized=False)
    assert (image.kind, image.texels, image.shape) == (kind, shape, a.shape)
    out = device.empty_image(shape, image.channels, np.int16, kind=kind, normalized=False)
    seen = np.zeros(shape, np.int32)
    program.k(image, out, seen)
    np.testing.assert_array_equal(out.numpy(), a * 3)
    np.testing.assert_array_equal(seen, a.reshape(shape + (channels,))[..., 0])
    host = np.zeros_like(a)
    program.k(a, host, seen)
    np.testing.assert_array_equal(host, a * 3)


def test_the_kind_follows_the_shape(device):
    cases = [((5,), "1d", "r"), ((4, 5), "2d", "r"), ((4, 5, 2), "2d", "rg"), ((3, 4, 5, 4), "3d", "rgba")]
    for shape, kind, channels in cases:
        image = device.image(values(shape, "u1"))
        assert (image.kind, image.channels) == (kind, channels)
    assert device.image(values((3, 4, 5), "u1"), kind="3d").texels == (3, 4, 5)
    assert device.image(values((4, 5, 1), "u1")).texels == (4, 5)
    assert device.empty_image((2, 3, 4), "rg").shape == (2, 3, 4, 2)
    assert device.empty_image((2, 3, 4), "r", kind="2d_array").kind == "2d_array"
    assert device.empty_image(6, "r").shape == (6,)


def test_depths(device):
    program = device.program(
        """kernel void k(read_only image2d_depth_t in, global float *out)
        { %s out[at.y * 5 + at.x] = read_imagef(in, at); }""" % AT
    )
    a = np.random.default_rng(3).random((3, 5), np.float32)
    for given in (a, device.image(a, "depth")):
        out = np.zeros_like(a)
        program.k(given, out)
        np.testing.assert_array_equal(out, a)
    with pytest.raises(TypeError, match="it takes depths, but an image of float32 r was given"):
        program.k(device.image(a), out)
    with pytest.raises(TypeError, match="it takes no depths"):
        device.program(BLUR).blur(device.image(a, "depth"), device.empty_image((3, 5)))


def test_images_that_are_read_and_written(device):
    source = "kernel void k(read_write image2d_t i) { %s write_imagef(i, at, 1 - read_imagef(i, at)); }" % AT
    program = device.program(source, "-cl-std=CL3.0")
    a = values((4, 6, 4), "u1")
    b = a.copy()
    program.k(b)
    np.testing.assert_array_equal(b, 255 - a)


def test_queues(device):
    program = device.program(BLUR)
    queue = clforge.Queue(device)
    a, b = values((20, 30, 4), "f4"), values((20, 30, 4), "f4", seed=2)
    image, out = device.image(a), device.empty_image((20, 30), dtype="float")
    program.blur(image, out, queue=queue)
    first = queue.read(out)
    image.write(b, queue)
    program.blur(image, out, queue=queue)
    copy = out.copy(queue)
    program.blur(image, image.copy(queue), queue=queue)
    np.testing.assert_allclose(first.numpy(), blurred(a), atol=1e-5)
    np.testing.assert_allclose(queue.read(copy).numpy(), blurred(b), atol=1e-5)
    np.testing.assert_array_equal(copy.numpy(), out.numpy())


@pytest.mark.parametrize(
    "shape, options, error, text",
    [
        ((4, 4, 3), {}, ValueError, r"1, 2 or 4 channels, not 3 as the last axis of the shape \(4, 4, 3\): add a fourth"),
        ((4, 4, 5), {}, ValueError, "for slices or layers of one channel, give kind '3d' or '2d_array'"),
        ((), {}, ValueError, "one to three dimensions, not 0"),
        ((1, 1, 1, 1, 1), {}, ValueError, "one to three dimensions, not 4"),
        ((4, 0), {}, ValueError, "at least 1"),
        ((4, 4), {"kind": "4d"}, ValueError, "no kind of image '4d'; there are: 1d, 1d_buffer"),
        ((4,), {"kind": "2d"}, ValueError, "a 2d image has 2 axes and one of channels"),
        ((4, 4), {"channels": "rgba"}, ValueError, "channels 'rgba' are 4, but .* has 1"),
        ((4, 4), {"channels": "rgb"}, ValueError, "no channels 'rgb'; there are: r, rg, rgba, bgra, depth"),
        ((4, 4), {"dtype": "f8"}, TypeError, "no texels of float64, but of: uint8, int8"),
        ((4, 4), {"dtype": "u8"}, TypeError, "no texels of uint64"),
        ((4, 4), {"dtype": ">f4"}, TypeError, "no texels of >f4"),
        ((4, 4), {"dtype": "f4", "normalized": True}, ValueError, "texels of float32 are never normalised"),
        ((4, 4), {"dtype": "i4", "normalized": True}, ValueError, "texels of int32 are never normalised"),
        ((4, 4), {"channels": "depth"}, ValueError, "of normalised uint16 or float32, not normalised uint8"),
        ((4, 4, 4), {"channels": "bgra", "dtype": "f4"}, ValueError, "'bgra' have texels of normalised uint8, not float32"),
    ],
)
def test_arrays_that_are_no_images(device, shape, options, error, text):
    options = dict(options)
    a = np.zeros(shape, options.pop("dtype", "u1"))
    with pytest.raises(error, match=text):
        device.image(a, **options)


def test_wrong_arguments(device):
    program = device.program(BLUR)
    image = device.image(np.zeros((4, 4, 4), np.uint8))
    out = device.empty_image((4, 4))
    of = "argument 'read_only image2d_t in' of kernel 'blur': "
    for given, error, text in [
        (5, TypeError, "it takes an image, or an array of the host, but 5 .int. was given"),
        (None, TypeError, "but None .NoneType. was given"),
        (device.zeros((4, 4)), TypeError, "but <Array of 4x4 float32 .* was given"),
        (np.zeros((4, 4)), TypeError, r"images have no texels of float64, .*; use .astype\(numpy.float32\)"),
        (np.zeros((4, 4, 3), np.uint8), ValueError, "1, 2 or 4 channels, not 3"),
        (np.zeros((2, 4, 4, 4), np.uint8), ValueError, "a 2d image has 2 axes and one of channels, not the shape"),
        (device.image(np.zeros((2, 4, 4, 4), np.uint8)), TypeError, "image of kind '2d', but one of kind '3d' was given"),
        (
            device.image(np.zeros((4, 4), np.uint8), normalized=False),
            TypeError,
            "as float, but an image of uint8 r was given, whose texels are uint; make it with normalized=True",
        ),
        (np.zeros((4, 4), np.int32), TypeError, "as float, but an image of int32 r was given, whose texels are int$"),
    ]:
        with pytest.raises(error, match=text) as caught:
            program.blur(given, out)
        assert str(caught.value).startswith(of)
    read_only = np.zeros((4, 4, 4), np.uint8)
    read_only.flags.writeable = False
    with pytest.raises(TypeError, match="'write_only image2d_t out' .* the array is read-only"):
        program.blur(image, read_only)
    with pytest.raises(TypeError, match="'sampler_t how' of kernel 'sample': it takes a clforge.Sampler, but 3 .int. was"):
        sample(device, image, 3, [(0, 0)])
    with pytest.raises(TypeError, match="cannot be written to an image of shape .4, 4, 4. of uint8"):
        image.write(np.zeros((4, 4, 4), np.float32))
    with pytest.raises(TypeError, match="an array of shape .4, 4, 2. of uint8 cannot be written"):
        image.write(np.zeros((4, 4, 2), np.uint8))
    with pytest.raises(TypeError, match="points to 'float'|cannot be written"):
        device.program("kernel void k(global uchar *a) { *a = 1; }").k(image)


def test_lists_and_arrays_of_the_device(device):
    image = device.image([[0.0, 0.5], [1.0, 2.0]], dtype="float")
    assert image.numpy().tolist() == [[0, 0.5], [1, 2]]
    a = values((3, 4, 4), "u1")
    np.testing.assert_array_equal(device.image(device.array(a)).numpy(), a)
    np.testing.assert_array_equal(device.image(device.image(a)).numpy(), a)
    with pytest.raises(TypeError, match="say their type"):
        device.image([[1, 2]])
    with pytest.raises(TypeError, match="the elements are uint8, not float32"):
        device.image(a, dtype="float")


def decoded(file):
    """Width, height, bits, type of colour and pixels of a PNG file whose lines have no filter."""
    assert file.startswith(b"\x89PNG\r\n\x1a\n")
    at, parts = 8, {}
    while at < len(file):
        size, kind = struct.unpack_from(">I4s", file, at)
        content = file[at + 8 : at + 8 + size]
        assert struct.unpack_from(">I", file, at + 8 + size)[0] == zlib.crc32(kind + content)
        parts[kind], at = content, at + 12 + size
    width, height, bits, color, compression, filters, interlace = struct.unpack(">IIBBBBB", parts[b"IHDR"])
    assert (compression, filters, interlace) == (0, 0, 0) and list(parts) == [b"IHDR", b"IDAT", b"IEND"]
    lines = np.frombuffer(zlib.decompress(parts[b"IDAT"]), np.uint8).reshape(height, -1)
    assert not lines[:, 0].any()
    pixels = np.frombuffer(lines[:, 1:].tobytes(), ">u{}".format(bits // 8))
    return color, pixels.reshape(height, width, {0: 1, 2: 3, 6: 4}[color])


def test_images_in_notebooks(device):
    for normalized in (False, True):
        a = values((5, 6, 4), "u1")
        color, pixels = decoded(device.image(a, normalized=normalized)._repr_png_())
        assert color == 6
        np.testing.assert_array_equal(pixels, a)
        color, pixels = decoded(device.image(a[..., 0], normalized=normalized).png())
        assert color == 0
        np.testing.assert_array_equal(pixels[..., 0], a[..., 0])
    _, pixels = decoded(device.image(a, "bgra").png())
    np.testing.assert_array_equal(pixels, a[..., [2, 1, 0, 3]])
    color, pixels = decoded(device.image(a[..., :2]).png())
    assert color == 2
    np.testing.assert_array_equal(pixels, np.dstack([a[..., :2], np.zeros((5, 6))]))
    wide = values((3, 4, 2), "u2")
    np.testing.assert_array_equal(decoded(device.image(wide).png())[1], np.dstack([wide, np.zeros((3, 4))]))
    floats = np.array([[0, 1, 0.5], [-1, 7, np.nan], [np.inf, -np.inf, 0.25]], np.float32)
    for dtype in (np.float32, np.float16):
        _, pixels = decoded(device.image(floats.astype(dtype))._repr_png_())
        assert pixels[..., 0].tolist() == [[0, 255, 128], [0, 255, 0], [255, 0, 64]]
    _, pixels = decoded(device.image(a[0, :, 0]).png())
    assert pixels.shape == (1, 6, 1)


def test_other_packages_take_images_and_arrays(device):
    a = values((5, 6, 4), "u1")
    image = device.image(a)
    interface = image.__array_interface__
    assert (interface["typestr"], interface["shape"], interface["strides"]) == ("|u1", (5, 6, 4), (24, 4, 1))
    np.testing.assert_array_equal(np.asarray(image, np.float32), a.astype(np.float32))
    np.testing.assert_array_equal(image.to_numpy(), a)
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots()
    np.testing.assert_array_equal(axes.imshow(image).get_array(), a)
    (line,) = axes.plot(device.array([1.0, 2.0, 4.0], "float"))
    assert line.get_ydata().tolist() == [1, 2, 4]
    pyplot.close(figure)
    pillow = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    picture = pillow.fromarray(image)
    assert picture.mode == "RGBA"
    np.testing.assert_array_equal(np.asarray(picture), a)


def test_what_is_no_picture_is_text(device):
    for image in (device.image(values((2, 3, 4), "u1"), kind="3d"), device.image(values((3, 4), "i4"))):
        assert image._repr_png_() is None
        with pytest.raises(TypeError, match="PNG file"):
            image.png()
    assert repr(image) == "<Image 2d of 3x4, int32 r, on {}>".format(device.name)
    assert repr(device.empty_image((3, 4))).startswith("<Image 2d of 3x4x4, normalised uint8 rgba, on ")


def test_memory_is_freed(device):
    before = device.memory_in_use
    image = device.empty_image((1024, 1024), "rgba", "float")
    assert device.memory_in_use >= before + (16 << 20)
    del image
    device.finish()
    assert device.memory_in_use < before + (16 << 20)
