"""The kernels compute what numpy computes."""

import os

import numpy
import pyopencl
import pytest

KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "kernels")


@pytest.fixture(scope="module")
def queue():
    return pyopencl.CommandQueue(pyopencl.create_some_context(interactive=False))


def kernel(queue, name, folder=KERNELS):
    with open(os.path.join(folder, name + ".cl"), encoding="utf-8") as file:
        text = file.read()
    # With the line, reports name the file instead of "<source>".
    text = '#line 1 "{}/{}.cl"\n{}'.format(os.path.basename(folder), name, text)
    return getattr(pyopencl.Program(queue.context, text).build(), name)


def buffer(queue, array):
    flags = pyopencl.mem_flags
    return pyopencl.Buffer(queue.context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=array)


def check_sum(queue, folder=KERNELS):
    data = numpy.arange(1024, dtype=numpy.float32)
    sums = numpy.zeros(16, numpy.float32)
    result = buffer(queue, sums)
    kernel(queue, "sum", folder)(queue, data.shape, (64,), buffer(queue, data), result)
    pyopencl.enqueue_copy(queue, sums, result)
    assert (sums == data.reshape(16, 64).sum(axis=1)).all()


def test_sum(queue):
    check_sum(queue)


def test_histogram(queue):
    data = (numpy.arange(1000, dtype=numpy.uint32) * 2654435761 >> 7).astype(numpy.uint32)
    total = numpy.zeros(16, numpy.uint32)
    result = buffer(queue, total)
    kernel(queue, "histogram")(queue, (1024,), (64,), buffer(queue, data), result, numpy.uint32(len(data)))
    pyopencl.enqueue_copy(queue, total, result)
    assert (total == numpy.bincount(data & 15, minlength=16)).all()


def test_find(queue):
    data = numpy.arange(256, dtype=numpy.int32) % 100
    where = numpy.full(1, -1, numpy.int32)
    result = buffer(queue, where)
    kernel(queue, "find")(queue, data.shape, None, buffer(queue, data), numpy.int32(7), result)
    pyopencl.enqueue_copy(queue, where, result)
    assert data[where[0]] == 7
