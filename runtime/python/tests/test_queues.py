"""Queues, events, futures, asyncio."""

import asyncio
import threading

import numpy as np
import pytest

import clforge

ADD = "kernel void add(global uint *a, uint by) { a[get_global_id(0)] += by; }"
# Each iteration depends on the one before.
SLOW = """kernel void slow(global uint *a, uint n)
{ uint x = a[get_global_id(0)]; for (uint i = 0; i < n; ++i) x = x * 1664525u + 1013904223u; a[get_global_id(0)] = x; }"""
# Most iterations that lavapipe allows, nearly; so that work-items make a launch long. These take two cores some tenths of a
# second, which is longer than a busy machine keeps this process from running.
STEPS, ITEMS = 60000, 16384


def slow_steps(x, n):
    """What SLOW computes. Its step is an affine map, whose powers are products of its squares."""
    factor, term = 1664525, 1013904223
    while n:
        if n & 1:
            x = (x * factor + term) & 0xFFFFFFFF
        factor, term = factor * factor & 0xFFFFFFFF, (factor * term + term) & 0xFFFFFFFF
        n >>= 1
    return x


def test_commands_of_a_queue_are_in_order(device):
    queue = clforge.Queue(device, profiling=True)
    program = device.program(ADD)
    a = device.zeros(100, "uint")
    events = [program.add(a, step, queue=queue) for step in range(100)]
    download = queue.read(a)
    program.add(a, 1000000, queue=queue)
    np.testing.assert_array_equal(download.numpy(), np.full(100, sum(range(100)), np.uint32))
    queue.finish()
    assert all(event.done() for event in events)
    assert events[0].device_time is None or events[0].device_time >= 0
    with pytest.raises(RuntimeError, match="taken already"):
        download.numpy()


def test_queues_wait_for_events_of_each_other(device):
    first, second = clforge.Queue(device), clforge.Queue(device)
    program = device.program(ADD)
    a, b = device.zeros(10, "uint"), device.zeros(10, "uint")
    second.wait_for(program.add(a, 3, queue=first))
    copy = a.copy(second)
    program.add(copy, 1, queue=second).wait()
    program.add(b, 1).wait()
    assert copy.tolist() == [4] * 10


def test_await(device):
    program = device.program(ADD)
    arrays = [device.zeros(10, "uint") for _ in range(20)]

    async def main():
        await asyncio.gather(*[asyncio.ensure_future(wait(program.add(a, i))) for i, a in enumerate(arrays)])
        await device.queue.marker()

    async def wait(event):
        await event

    asyncio.run(main())
    assert [a.tolist() for a in arrays] == [[i] * 10 for i in range(20)]


def test_futures(device):
    program = device.program(ADD)
    a = device.zeros(10, "uint")
    future = program.add(a, 5).future()
    assert future.result(timeout=60) is None
    assert a.tolist() == [5] * 10


def test_a_launch_ends_after_its_time(device):
    program = device.program(SLOW)
    a = device.array(list(range(ITEMS)), "uint")
    # The limit is also one for the driver's compiler.
    program.slow(a, 0).wait()
    event = program.slow(a, STEPS, timeout=1e-6)
    with pytest.raises(TimeoutError):
        event.wait()
    event.wait(timeout=60)
    assert a.tolist() == [slow_steps(x, STEPS) for x in range(ITEMS)]


def test_other_threads_and_the_loop_run_while_the_device_is_waited_for(device):
    program = device.program(SLOW)
    a = device.array(list(range(ITEMS)), "uint")
    ticks = 0

    async def tick():
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    async def main():
        ticking = asyncio.ensure_future(tick())
        await program.slow(a, STEPS)
        ticking.cancel()

    asyncio.run(main())
    assert a.tolist() == [slow_steps(x, STEPS) for x in range(ITEMS)]
    assert ticks > 1


def test_waiting_ends_after_its_time(device):
    program = device.program(SLOW)
    a = device.zeros(ITEMS, "uint")
    events = [program.slow(a, STEPS) for _ in range(2)]
    with pytest.raises(TimeoutError):
        events[-1].wait(0.001)
    events[-1].wait()
    assert a.tolist() == [slow_steps(0, 2 * STEPS)] * ITEMS


def test_threads_launch_side_by_side(device):
    program = device.program(ADD)
    arrays = [device.zeros(1000, "uint") for _ in range(4)]

    def work(a):
        queue = clforge.Queue(device)
        for _ in range(200):
            program.add(a, 1, queue=queue)
        queue.finish()

    threads = [threading.Thread(target=work, args=(a,)) for a in arrays]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for a in arrays:
        np.testing.assert_array_equal(a.numpy(), np.full(1000, 200))
