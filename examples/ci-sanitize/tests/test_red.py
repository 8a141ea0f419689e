"""The kernel in `broken/` makes the check fail. If it does not, the other tests run without sanitizers."""

import json
import os
import subprocess

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def test_the_race_is_found(tmp_path):
    report = tmp_path / "report.json"
    environment = dict(os.environ, CLFORGE_REPORT=str(report))
    command = ["sh", os.path.join(TOP, "check.sh"), "broken"]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    assert done.returncode == 66, done.stdout.decode()
    with open(os.path.join(TOP, "broken", "expected.json"), encoding="utf-8") as file:
        expected = json.load(file)
    found = [json.loads(line) for line in report.read_text().splitlines()]
    # Of the two accesses, which are in one line, a device may report either or both.
    assert found and all({key: place[key] for key in expected} == expected for place in found)
