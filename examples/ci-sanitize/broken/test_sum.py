"""The test of `kernels/sum.cl` for the kernel in this folder, which computes the right sums on lavapipe."""

import os

from tests.test_kernels import check_sum, queue  # noqa: F401 (a fixture)


def test_sum(queue):  # noqa: F811
    check_sum(queue, os.path.dirname(os.path.abspath(__file__)))
