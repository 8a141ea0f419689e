"""Compiling without a device: modules, what they say of themselves, diagnostics."""

import struct
import threading
import time

import pytest

import clforge

ADD = "kernel void add(global const float *a, global const float *b, global float *sum, uint n) { sum[n] = a[n] + b[n]; }"
SPIRV_MAGIC = 0x07230203


def test_a_module_is_its_bytes():
    module = clforge.compile(ADD)
    words = bytes(module)
    assert struct.unpack_from("<I", words) == (SPIRV_MAGIC,)
    assert words == module.spirv and len(words) == len(module)
    assert module.target == "vulkan1.2"
    assert module.disassemble().startswith("; SPIR-V")


@pytest.mark.parametrize("target", clforge.TARGETS)
def test_every_target(target):
    module = clforge.compile(ADD, target=target)
    assert module.target == target
    assert [argument.declaration for argument in module.kernels["add"].arguments] == [
        "global const float* a",
        "global const float* b",
        "global float* sum",
        "uint n",
    ]


def test_a_target_that_does_not_exist():
    with pytest.raises(ValueError, match="there is no target 'vulkan9'; there are: vulkan1.1"):
        clforge.compile(ADD, target="vulkan9")


def test_options_as_text_and_as_words(tmp_path):
    source = "kernel void k(global int *a) { *a = N; }"
    assert bytes(clforge.compile(source, options="-DN=7")) == bytes(clforge.compile(source, options=["-DN=7"]))
    folder = tmp_path / "a folder"
    folder.mkdir()
    (folder / "n.h").write_text("#define N 7\n")
    module = clforge.compile('#include "n.h"\n' + source, options=["-I", str(folder)])
    assert module.dependencies == [str(folder / "n.h")]
    with pytest.raises(ValueError, match="-frobnicate"):
        clforge.compile(source, options="-frobnicate")


def test_errors_are_data_and_text():
    source = "kernel void k(global int *a) {\n    *a = x;\n    *a = y;\n}\n"
    with pytest.raises(clforge.CompileError) as caught:
        clforge.compile(source, name="k.cl")
    found = caught.value.diagnostics
    assert [(d.severity, d.file, d.line, d.column) for d in found] == [("error", "k.cl", 2, 10), ("error", "k.cl", 3, 10)]
    assert found[0].message == "use of undeclared identifier 'x'"
    assert "    *a = x;" in str(caught.value) and " --> k.cl:2:10" in str(caught.value)
    assert found[0].rendered in str(caught.value)
    assert isinstance(caught.value, clforge.Error)


def test_notes_have_places():
    with pytest.raises(clforge.CompileError) as caught:
        clforge.compile("int f(int);\nfloat f(int);\nkernel void k() { f(1); }")
    (note,) = caught.value.diagnostics[0].notes
    assert (note.line, note.column) == (1, 5)


def test_warnings_have_the_option_that_names_them():
    module = clforge.compile("kernel void k(global int *a) { int unused; *a = 1; }", options="-Wall")
    (warning,) = module.diagnostics
    assert (warning.severity, warning.option) == ("warning", "-Wunused-variable")
    assert clforge.compile("kernel void k(global int *a) { int unused; *a = 1; }", options="-Wall -w").diagnostics == []


def test_layouts_of_structures():
    # Offsets by the alignment of OpenCL C: float4 has 16 bytes, float3 is stored as four floats.
    module = clforge.compile(
        """typedef struct { int n; float v[2]; } inner;
        struct outer { char c; float4 f; inner in[3]; float3 three; };
        kernel void k(global struct outer *o) { o->c = 1; }"""
    )
    outer = module.records["struct outer"]
    assert outer.size == 96
    assert [(m.type_name, m.name, m.offset, m.lengths) for m in outer.members] == [
        ("char", "c", 0, ()),
        ("float4", "f", 16, ()),
        ("inner", "in", 32, (3,)),
        ("float3", "three", 80, ()),
    ]
    assert outer.members[2].record.size == 12
    assert module.kernels["k"].arguments[0].layout.record is outer


def test_the_interface_of_kernels():
    module = clforge.compile(
        """typedef float3 vec;
        kernel __attribute__((reqd_work_group_size(8, 4, 1)))
        void k(constant int *c, local double *l, vec v, unsigned char u, read_only image2d_t i, sampler_t s)
        { l[0] = c[0] + v.x + u + read_imagef(i, s, (int2)(0)).x; }"""
    )
    kernel = module.kernels["k"]
    assert kernel.required_work_group_size == (8, 4, 1)
    assert [(a.kind, a.address_space, a.is_written) for a in kernel.arguments] == [
        ("pointer", "constant", False),
        ("local", "local", False),
        ("value", "private", False),
        ("value", "private", False),
        ("image", "global", False),
        ("sampler", "private", False),
    ]
    assert kernel.arguments[2].layout.type_name == "float3" and kernel.arguments[2].size == 16
    assert kernel.arguments[4].access == "read_only"


def test_other_threads_run_while_it_compiles():
    source = "".join("kernel void k{0}(global float *a) {{ *a = sin(*a) + exp(*a) * {0}; }}\n".format(i) for i in range(300))
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.monotonic()
    clforge.compile(source)
    end = time.monotonic()
    done.set()
    thread.join()
    assert sum(begin + 0.01 < at < end - 0.01 for at in ticks) > 5


def test_webgpu_is_for_translators():
    source = "kernel void k(global int *a, local int *b) { b[0] = a[0]; a[1] = b[0]; }"
    assert clforge.TARGETS[-1] == "webgpu"
    module = clforge.compile(source, target="webgpu", work_group_size=(8, 4))
    text = module.disassemble()
    # WebGPU has neither addresses nor push constants; sizes are fixed.
    assert "OpMemoryModel Logical" in text and "PushConstant" not in text
    assert "LocalSize 8 4 1" in text or "%uint_8 %uint_4 %uint_1" in text
    assert bytes(module) != bytes(clforge.compile(source, target="webgpu", local_bytes=64))
    for options in ({"work_group_size": 8}, {"local_bytes": 64}):
        with pytest.raises(ValueError, match="is for the target webgpu: elsewhere a launch chooses it"):
            clforge.compile(source, **options)
    with pytest.raises(ValueError, match="no size of a work-group is 0"):
        clforge.compile(source, target="webgpu", work_group_size=(8, 0))


def test_addressing():
    assert "OpMemoryModel PhysicalStorageBuffer64" in clforge.compile(ADD).disassemble()
    assert bytes(clforge.compile(ADD, addressing="physical64")) == bytes(clforge.compile(ADD))
    assert "OpMemoryModel Logical" in clforge.compile(ADD, addressing="logical").disassemble()
    with pytest.raises(ValueError, match="there is no addressing 'near'; there are: physical64, logical"):
        clforge.compile(ADD, addressing="near")
