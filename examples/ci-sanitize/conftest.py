"""A test fails if a sanitizer finds something while it runs."""

import json
import os

import pytest

REPORT = os.environ.get("CLFORGE_REPORT")


def findings():
    """The driver appends a line of JSON for each place in a kernel."""
    if REPORT is None or not os.path.exists(REPORT):
        return []
    with open(REPORT, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    before = len(findings())
    result = yield
    new = findings()[before:]
    if new:
        pytest.fail("\n".join("{file}:{line}: {message}".format(**place) for place in new), pytrace=False)
    return result
