"""The rows of a picture, which several devices share out among themselves."""

from __future__ import annotations

import threading

Rows = tuple[int, int]  # the first one, and how many


class Pool:
    """The rows that nobody has computed yet, and how many are being computed."""

    def __init__(self, rows: int) -> None:
        self.free: list[Rows] = [(0, rows)]
        self.under_way = 0
        self.changed = threading.Condition()

    def take(self, wanted: int, share: float) -> Rows | None:
        """At most `wanted` rows, and half of the taker's share of what is left, so that all end at the same time.

        None if all is done.
        """
        with self.changed:
            self.changed.wait_for(lambda: self.free or not self.under_way)
            if not self.free:
                return None
            fair = int(sum(count for _, count in self.free) * share / 2)
            first, count = self.free.pop()
            taken = min(count, max(1, min(wanted, fair)))
            if taken < count:
                self.free.append((first + taken, count - taken))
            self.under_way += taken
            return first, taken

    def give_back(self, rows: Rows, *, done: bool) -> None:
        with self.changed:
            self.under_way -= rows[1]
            if not done:
                self.free.append(rows)
            self.changed.notify_all()
