"""Computes one picture on all OpenCL devices of a platform at once, in one context.

Each device takes rows of the picture as fast as it computes them. The rows of a device that fails go to the others.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyopencl as cl

from pool import Pool, Rows

Steps = npt.NDArray[np.uint32]


@dataclass
class Picture:
    """What to compute; lengths are in units of 2^-60, as the kernel has them."""

    size: int
    limit: int
    left: int
    top: int
    pitch: int

    def steps_of(self, row: int, column: int) -> int:
        """What the kernel computes for a pixel, in Python's integers."""
        a, b = self.left + column * self.pitch, self.top + row * self.pitch
        x, y = a, b
        for step in range(self.limit):
            xx, yy, xy = x * x >> 64, y * y >> 64, x * y >> 64
            if xx + yy > 4 << 56:
                return step
            x, y = (xx - yy) * 16 + a, xy * 32 + b
        return self.limit


@dataclass
class Worker:
    """A queue of a device, with a kernel and a buffer of its own. Two for each device keep it busy during copies."""

    name: str
    number: int
    queue: cl.CommandQueue
    kernel: cl.Kernel
    buffer: cl.Buffer
    most_rows: int
    fails: bool = False
    speed: float = 0.0  # rows in a second
    done: list[Rows] = field(default_factory=list)

    def compute(self, picture: Picture, rows: Rows, into: Steps, group: tuple[int, int] | None = None) -> None:
        first, count = rows
        start = time.perf_counter()
        numbers = [np.int64(n) for n in (picture.left, picture.top, picture.pitch)]
        shape = (picture.size, count)
        self.kernel(self.queue, shape, group, self.buffer, *numbers, np.uint32(first), np.uint32(picture.limit))
        cl.enqueue_copy(self.queue, into[first : first + count], self.buffer)
        self.speed = count / (time.perf_counter() - start)

    def work(self, picture: Picture, pool: Pool, into: Steps, seconds: float, workers: list[Worker]) -> None:
        """Computes rows until none are left; for each launch as many as should take `seconds`."""
        self.done = []

        def next_rows() -> Rows | None:
            share = self.speed / sum(worker.speed for worker in workers)
            return pool.take(min(self.most_rows, int(self.speed * seconds)), share)

        while rows := next_rows():
            try:
                # No device has work-groups of this size: a device's error for --fail.
                self.compute(picture, rows, into, (picture.size, 2**20) if self.fails and self.done else None)
            except cl.Error as error:
                self.speed = 0.0
                pool.give_back(rows, done=False)
                print(f"{self.name} stops, and its {rows[1]} rows go to the others: {error}")
                return
            self.done.append(rows)
            pool.give_back(rows, done=True)


def together(workers: list[Worker], picture: Picture, seconds: float) -> tuple[Steps, float]:
    """The picture, and the time that it took."""
    pool, into = Pool(picture.size), np.zeros((picture.size, picture.size), np.uint32)
    start = time.perf_counter()
    arguments = (picture, pool, into, seconds, workers)
    threads = [threading.Thread(target=worker.work, args=arguments) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if left := sum(count for _, count in pool.free):
        sys.exit(f"no device is left for {left} rows")
    return into, time.perf_counter() - start


def make_workers(devices: list[cl.Device], picture: Picture, queues: int) -> list[Worker]:
    """The workers of all devices. Each has computed enough rows to show its speed; the first launch compiles."""
    context = cl.Context(devices)
    program = cl.Program(context, Path(__file__).with_name("kernel.cl").read_text()).build()
    most_rows = min(picture.size, 256)
    workers = []
    for index in range(len(devices) * queues):
        number = index // queues
        queue, kernel = cl.CommandQueue(context, devices[number]), cl.Kernel(program, "escape")
        buffer = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, 4 * picture.size * most_rows)
        workers.append(Worker(f"queue {index} (device {number})", number, queue, kernel, buffer, most_rows))
    scratch = np.zeros((picture.size, picture.size), np.uint32)
    for worker in workers:
        for count in (1, 8, 32, most_rows):
            worker.compute(picture, (picture.size // 2, min(count, picture.size // 2)), scratch)
            if count > 1 and count > 0.01 * worker.speed:
                break
    return workers


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small picture, for tests")
    parser.add_argument("--size", type=int, default=1024, help="the picture's width and height in pixels")
    parser.add_argument("--limit", type=int, default=4000, help="the number of steps at most")
    parser.add_argument("--centre", nargs=2, default=["-0.743643887037151", "0.131825904205330"], metavar=("X", "Y"))
    parser.add_argument("--width", default="2e-9", help="the picture's width in the plane; 1e-13 is still sharp")
    parser.add_argument("--platform", default="clforge", help="the name of the OpenCL platform")
    parser.add_argument("--devices", type=int, nargs="+", help="the numbers of the devices; all by default")
    parser.add_argument("--queues", type=int, default=2, help="queues for each device")
    parser.add_argument("--chunk", type=float, default=0.05, help="seconds that a launch should take")
    parser.add_argument("--fail", type=int, nargs="+", default=[], metavar="QUEUE", help="queues that get an error")
    parser.add_argument("--output", type=Path, help="writes the picture as a PGM file")
    options = parser.parse_args()
    if options.quick:
        options.size, options.limit = 256, 2000
    return options


def main() -> int:
    options = parse()
    one = 1 << 60
    x, y, width = (int(Fraction(text) * one) for text in (*options.centre, options.width))
    picture = Picture(options.size, options.limit, x - width // 2, y - width // 2, width // options.size)

    platform = next(p for p in cl.get_platforms() if p.name == options.platform)
    listed = platform.get_devices()
    devices = [listed[number] for number in options.devices or range(len(listed))]
    for number, device in enumerate(devices):
        print(f"device {number}: {device.name.strip()}, {device.version.strip()}")

    workers = make_workers(devices, picture, options.queues)
    alone = []
    for number in range(len(devices)):
        alone.append(together([worker for worker in workers if worker.number == number], picture, options.chunk))
    for index in options.fail:
        workers[index].fails = True
    image, seconds = together(workers, picture, options.chunk)

    right, times = alone[0][0], [time for _, time in alone]
    total = float(right.sum())

    def speeds(time: float) -> str:
        return f"{time:8.3f} {total / time / 1e9:9.2f} {min(times) / time:9.2f}"

    print(f"\n{'':12} {'seconds':>8} {'Gsteps/s':>9} {'speed-up':>9} {'share':>6} {'launches':>9}")
    for number, time in enumerate(times):
        rows = [rows for worker in workers if worker.number == number for rows in worker.done]
        share = sum(float(image[first : first + count].sum()) for first, count in rows) / total
        print(f"device {number:<5} {speeds(time)} {share:6.1%} {len(rows):9}")
    print(f"all together {speeds(seconds)}")
    print(f"at most      {speeds(1 / sum(1 / time for time in times))}")
    if options.output:
        grey = (right % 256).astype(np.uint8)
        options.output.write_bytes(f"P5 {picture.size} {picture.size} 255\n".encode() + grey.tobytes())

    random = np.random.default_rng(1)
    pixels = [(int(row), int(column)) for row, column in random.integers(picture.size, size=(32, 2))]
    wrong = [f"pixel {pixel}" for pixel in pixels if right[pixel] != picture.steps_of(*pixel)]
    pictures = [one for one, _ in alone] + [image]
    wrong += [f"picture {number}" for number, one in enumerate(pictures) if not np.array_equal(one, right)]
    if wrong:
        print(f"wrong results: {', '.join(wrong)}", file=sys.stderr)
        return 1
    print("all pictures have equal bits; 32 pixels are as computed in Python")
    return 0


if __name__ == "__main__":
    sys.exit(main())
