"""Arrays on the device, and the protocols that they speak."""

import sys

import numpy as np
import pytest

import clforge


def test_from_numpy_and_back(device):
    for dtype in ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "?", "c8", "c16"]:
        a = np.arange(24).reshape(2, 3, 4).astype(dtype)
        on_device = device.array(a)
        assert on_device.shape == (2, 3, 4) and on_device.nbytes == a.nbytes
        for back in [on_device.numpy(), on_device.to_numpy(), np.asarray(on_device), np.array(on_device, copy=True)]:
            assert back.dtype == a.dtype
            np.testing.assert_array_equal(back, a)


def test_gaps_and_order_are_as_numpy_sees_them(device):
    a = np.arange(24, dtype=np.int32).reshape(4, 6)
    for view in [a.T, a[::2, 1::2], a[::-1], a[:0], np.asfortranarray(a)]:
        np.testing.assert_array_equal(device.array(view).numpy(), view)


def test_lists_have_a_type(device):
    assert device.array([[1, 2], [3, 4]], "int").tolist() == [[1, 2], [3, 4]]
    assert device.array([0.5, 1e300], "float").tolist() == [0.5, float("inf")]
    assert device.array([1, 2], np.float64).dtype == "double"
    with pytest.raises(TypeError, match="say their type"):
        device.array([1, 2])
    with pytest.raises(ValueError, match="rows of an array have one length"):
        device.array([[1], [2, 3]], "int")
    with pytest.raises(TypeError, match="the elements are float64, not float32"):
        device.array(np.zeros(2), "float")
    with pytest.raises(TypeError, match="is not the type of an element"):
        device.zeros(2, "quux")
    with pytest.raises(OverflowError, match="'uchar', which cannot be -1"):
        device.array([-1], "uchar")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="the stable interface has the buffer protocol from Python 3.11 on")
def test_the_buffer_protocol(device):
    a = np.arange(6, dtype=np.int16).reshape(2, 3)
    view = memoryview(device.array(a))
    assert (view.format, view.shape, view.strides, view.readonly) == ("h", (2, 3), (6, 2), True)
    assert view.tolist() == a.tolist()
    assert bytes(device.array(a)) == a.tobytes()
    with pytest.raises((BufferError, TypeError)):
        view.cast("B")[0] = 1
    with pytest.raises((BufferError, TypeError)):
        memoryview(device.zeros(2, "c8"))


def test_the_array_interface(device):
    interface = device.array(np.arange(3, dtype=np.uint8)).__array_interface__
    assert (interface["typestr"], interface["shape"], bytes(interface["data"])) == ("|u1", (3,), b"\0\1\2")
    dtype = np.dtype({"names": ["a", "b"], "formats": ["u1", "f8"], "offsets": [0, 8], "itemsize": 24})
    a = np.array([(1, 2.5), (3, 4.5)], dtype)
    back = np.asarray(device.array(a))
    assert back.dtype == dtype
    np.testing.assert_array_equal(back, a)


def test_dlpack(device):
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    on_device = device.array(a)
    back = np.from_dlpack(on_device)
    np.testing.assert_array_equal(back, a)
    assert on_device.__dlpack_device__() == (1, 0)

    class OnlyDlpack:
        def __dlpack__(self, **options):
            return a.__dlpack__(**options)

        def __dlpack_device__(self):
            return a.__dlpack_device__()

    np.testing.assert_array_equal(device.array(OnlyDlpack()).numpy(), a)
    with pytest.raises(BufferError):
        on_device.__dlpack__(copy=False)


def test_copies_do_not_share_memory(device):
    a = device.zeros(4, "int")
    before = a.numpy()
    a.fill(5).wait()
    assert before.tolist() == [0, 0, 0, 0] and a.tolist() == [5, 5, 5, 5]
    other = a.copy()
    a.write([1, 2, 3, 4])
    assert other.tolist() == [5, 5, 5, 5] and a.tolist() == [1, 2, 3, 4]
    with pytest.raises(ValueError, match="without a copy"):
        a.__array__(copy=False)


def test_parts_share_memory(device):
    a = device.array(np.arange(12, dtype=np.int32).reshape(4, 3))
    a[1:3].fill(-1).wait()
    a[-1].write([7, 8, 9])
    assert a.tolist() == [[0, 1, 2], [-1, -1, -1], [-1, -1, -1], [7, 8, 9]]
    assert a.reshape(2, -1).shape == (2, 6) and len(a) == 4 and a[0].shape == (3,)
    with pytest.raises(IndexError):
        a[4]
    with pytest.raises(IndexError):
        a[::2]
    with pytest.raises(ValueError):
        a.reshape(5)


def test_writes_are_checked(device):
    a = device.zeros(4, "int")
    with pytest.raises(TypeError, match="3 elements of int32 cannot be written to one of 4 elements of int32"):
        a.write(np.zeros(3, np.int32))
    with pytest.raises(TypeError, match="elements of float32"):
        a.write(np.zeros(4, np.float32))
    with pytest.raises(TypeError, match="'int', but 0.5"):
        a.fill(0.5)


def test_memory_is_freed(device):
    before = device.memory_in_use
    a = device.zeros((1024, 1024), "float")
    assert device.memory_in_use >= before + (4 << 20)
    del a
    device.finish()
    assert device.memory_in_use < before + (4 << 20)


def test_too_much_memory(device):
    with pytest.raises((MemoryError, ValueError)):
        device.empty(1 << 60, "double")


def test_arrays_of_one_element_are_numbers(device):
    a = device.array([[1.5, 2.5]], "float")
    assert (float(a[0][1]), int(a[0][1]), a[0][0].item()) == (2.5, 2, 1.5)
    assert float(a.reshape(2)[1:2]) == 2.5
    assert device.array([3], "int").item() == 3
    with pytest.raises(ValueError, match="an array of 2 elements is no number"):
        float(a)


def test_parts_are_assigned(device):
    a = device.zeros((3, 2), "int")
    a[0] = 1
    a[1:2] = [[2, 3]]
    a[2] = np.array([4, 5], np.int32)
    a[2][1] = 6
    a[3:] = 7
    assert a.tolist() == [[1, 1], [2, 3], [4, 6]]
    a[0] = a[2]
    a[1][0] = np.int32(9)
    assert a.tolist() == [[4, 6], [9, 3], [4, 6]]
    with pytest.raises(TypeError, match="cannot be written"):
        a[0] = [1, 2, 3]
    with pytest.raises(TypeError):
        a[0] = 1.5


def test_texts_of_arrays(device):
    a = device.zeros((2, 3), "float")
    assert repr(a) == "<Array of 2x3 float32 on {}>".format(device.name)
    assert repr(a[0][0]) == "<Array of float32 on {}>".format(device.name)
