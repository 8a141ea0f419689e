"""A sweep over temperatures of the Ising model, by Dask's workers with OpenCL devices.

Each worker is a process with a context of its own. Runs with different numbers of workers, and one in which a worker is
killed, must have equal results.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import time
from collections import Counter

import dask
from dask.distributed import Client, Nanny, Scheduler, SpecCluster, as_completed

from ising import CRITICAL, Answer, Parameters, Result, devices, expected_magnetization, simulate


def start_workers(count: int, by_environment: bool) -> SpecCluster:
    """Processes on this machine. Each Nanny starts a worker process, and another one if that ends."""
    number_of_devices = len(devices())
    by_environment &= "CLFORGE_DEVICE" not in os.environ  # Else all workers have that one.
    workers = {}
    for index in range(count):
        environment = {"CLFORGE_DEVICE": str(index % number_of_devices)} if by_environment else {}
        options = {"name": index, "nthreads": 1, "env": environment, "silence_logs": logging.ERROR}
        workers[index] = {"cls": Nanny, "options": options}
    scheduler = {"cls": Scheduler, "options": {"host": "127.0.0.1", "port": 0, "dashboard_address": ":0"}}
    return SpecCluster(workers=workers, scheduler=scheduler, silence_logs=logging.ERROR)


def show(done: int, total: int, what: str) -> None:
    """A progress bar, on terminals."""
    if sys.stderr.isatty():
        bar = "#" * (40 * done // total)
        end = "\n" if done == total else ""
        print(f"\r[{bar:40}] {done}/{total} {what} ", end=end, file=sys.stderr, flush=True)


def kill_a_busy_worker(client: Client, processes: dict[str, int]) -> None:
    busy = [address for address, tasks in client.processing().items() if tasks and address in processes]
    victim = busy[0] if busy else next(iter(processes))
    os.kill(processes[victim], signal.SIGKILL)
    print(f"killed process {processes[victim]}, the worker {victim}", flush=True)


def sweep(tasks: list[Parameters], workers: int, options: argparse.Namespace, kill: bool) -> tuple[list[Answer], float]:
    """The answers in the order of the tasks, and the time without the start of the workers."""
    with start_workers(workers, options.by_environment) as cluster, Client(cluster) as client:
        client.wait_for_workers(workers)
        processes: dict[str, int] = client.run(os.getpid)
        # Devices are opened, and kernels compiled, before the time counts.
        short = Parameters.at(CRITICAL, options.side, 8, 0)
        client.gather([client.submit(simulate, short, workers=[address], pure=False) for address in processes])

        start = time.perf_counter()
        # `pure=False`: results of equal parameters are computed again. `retries`: after an error of a device.
        futures = client.map(simulate, tasks, pure=False, retries=2)
        for done, _ in enumerate(as_completed(futures), 1):
            show(done, len(tasks), f"with {workers} workers")
            if kill and done == len(tasks) // 3:
                kill_a_busy_worker(client, processes)
        answers: list[Answer] = client.gather(futures)
        return answers, time.perf_counter() - start


def right(results: list[Result]) -> bool:
    """Whether the magnetization is what the formula says, where it is not too close to the critical temperature."""
    return all(
        abs(result.magnetization - expected_magnetization(result.parameters.temperature)) < 0.02
        for result in results
        if result.parameters.temperature < 0.9 * CRITICAL
    )


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small sweep, for tests")
    parser.add_argument("--kill", action="store_true", help="one more run, in which a worker is killed")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4], help="how many workers, for each run")
    parser.add_argument("--temperatures", type=int, default=24, help="how many, from 1.6 to 3.2")
    parser.add_argument("--side", type=int, default=256, help="the side of the lattice, a power of two")
    parser.add_argument("--steps", type=int, default=1000, help="how often each magnet may turn")
    parser.add_argument("--by-environment", action="store_true", help="gives each worker its CLFORGE_DEVICE")
    options = parser.parse_args()
    if options.quick:
        options.temperatures, options.side, options.steps, options.workers = 9, 64, 120, [1, 2]
    if options.side & options.side - 1:
        parser.error("the side must be a power of two")
    return options


def main() -> int:
    options = parse()
    dask.config.set({"distributed.worker.multiprocessing-method": "spawn"})
    span = max(1, options.temperatures - 1)
    temperatures = [1.6 + 1.6 * index / span for index in range(options.temperatures)]
    tasks = [Parameters.at(t, options.side, options.steps, seed) for seed, t in enumerate(temperatures)]

    runs = [(count, False) for count in options.workers]
    if options.kill:
        runs.append((max(options.workers), True))
    first: list[Result] = []
    table, first_time, equal = [], 0.0, True
    for workers, kill in runs:
        answers, seconds = sweep(tasks, workers, options, kill)
        results = [answer.result for answer in answers]
        if not first:
            first, first_time = results, seconds
        equal &= results == first
        shares = Counter(answer.worker for answer in answers)
        by_worker = " ".join(str(shares[worker]) for worker in range(workers))
        name = f"{workers}, one killed" if kill else str(workers)
        names = ", ".join(sorted({answer.device for answer in answers}))
        table.append(f"{name:>13} {seconds:8.2f} {first_time / seconds:9.2f}  {by_worker:12}  {names}")

    print("\ntemperature  magnetization  exact  energy  checksum")
    for result in first[:: max(1, len(first) // 8)]:
        t = result.parameters.temperature
        numbers = f"{result.magnetization:13.4f} {expected_magnetization(t):6.4f} {result.energy:7.3f}"
        print(f"{t:11.3f}  {numbers}  {result.checksum:08x}")
    print("\n      workers  seconds  speed-up  tasks of each devices", *table, sep="\n")
    if not equal or not right(first):
        print("wrong results:", "the magnetization" if equal else "they differ between runs", file=sys.stderr)
        return 1
    print(f"the {len(runs)} runs have equal results, and the magnetization is right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
