"""The simulation of one set of parameters on an OpenCL device. Processes of workers import this module."""

from __future__ import annotations

import functools
import math
import os
import zlib
from dataclasses import dataclass
from pathlib import Path

# A killed process leaves the lock of PyOpenCL's cache behind, for all others. The driver's cache has none.
os.environ.setdefault("PYOPENCL_NO_CACHE", "1")

import numpy as np
import pyopencl as cl
from dask.distributed import get_worker

PLATFORM = "clforge"
CRITICAL = 2 / math.log(1 + math.sqrt(2))  # the temperature above which nothing is magnetic


@dataclass(frozen=True)
class Parameters:
    """The odds are computed where the sweep starts, so that they do not depend on the workers' `exp`."""

    temperature: float
    side: int
    steps: int
    seed: int
    odds: tuple[int, int]

    @staticmethod
    def at(temperature: float, side: int, steps: int, seed: int) -> Parameters:
        three, four = (int(math.exp(-energy / temperature) * 2**32) for energy in (4, 8))
        return Parameters(temperature, side, steps, seed, (three, four))


@dataclass(frozen=True)
class Result:
    """What a simulation found. It is a function of the parameters alone, so that results are compared by `==`."""

    parameters: Parameters
    magnetization: float
    energy: float
    checksum: int


@dataclass(frozen=True)
class Answer:
    """A result, and where it was computed."""

    result: Result
    worker: int
    device: str


def devices() -> list[cl.Device]:
    return next(p for p in cl.get_platforms() if p.name == PLATFORM).get_devices()


class Simulator:
    """A context, a queue and the kernels on one device."""

    def __init__(self, device: cl.Device) -> None:
        self.device = device
        self.context = cl.Context([device])
        self.queue = cl.CommandQueue(self.context)
        program = cl.Program(self.context, Path(__file__).with_name("kernel.cl").read_text()).build()
        self.turn, self.measure = cl.Kernel(program, "turn"), cl.Kernel(program, "measure")

    def run(self, what: Parameters) -> Result:
        side, samples = what.side, range(what.steps // 3, what.steps, 4)
        magnets = np.ones((side, side), np.int32)
        sums = np.zeros((len(samples), 2), np.int32)
        flags = cl.mem_flags
        on_device = cl.Buffer(self.context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=magnets)
        sums_on_device = cl.Buffer(self.context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=sums)
        odds, width, seed = np.array(what.odds, np.uint32), np.uint32(side), np.uint32(what.seed)
        for step in range(what.steps):
            for colour in (0, 1):
                number = np.uint32(2 * step + colour)
                self.turn(self.queue, (side // 2, side), None, on_device, width, np.uint32(colour), number, seed, odds)
            if step in samples:
                sample = np.uint32(samples.index(step))
                self.measure(self.queue, (side,), None, on_device, width, sums_on_device, sample)
        cl.enqueue_copy(self.queue, magnets, on_device)
        cl.enqueue_copy(self.queue, sums, sums_on_device)
        magnetization, products = sums.sum(axis=0, dtype=np.int64) / (len(samples) * side * side)
        return Result(what, float(magnetization), -float(products), zlib.crc32(magnets.tobytes()))


@functools.cache
def simulator(number: int) -> Simulator:
    """That of this process, made for the first task. A context must not be older than its process (no `fork`)."""
    found = devices()
    return Simulator(found[number % len(found)])


def simulate(parameters: Parameters) -> Answer:
    """A task: worker i takes device i. With CLFORGE_DEVICE in its environment, a worker sees one device."""
    number = int(get_worker().name)
    mine = simulator(number)
    return Answer(mine.run(parameters), number, mine.device.name.strip())


def expected_magnetization(temperature: float) -> float:
    """Onsager's and Yang's formula for an infinite lattice."""
    return (1 - math.sinh(2 / temperature) ** -4) ** 0.125 if temperature < CRITICAL else 0.0
