"""The examples with PyOpenCL, Dask and pytest, with small sizes."""

import os
import shutil
import subprocess
import sys

import pytest

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "examples")
MANY = ("many-devices", "many_devices.py")
SWEEP = ("dask", "sweep.py")
SANITIZERS = "ci-sanitize"


@pytest.fixture(autouse=True)
def packages():
    for name in ("pyopencl", "numpy", "dask", "distributed"):
        pytest.importorskip(name, reason="{} is not installed".format(name))


def execute(command, variables):
    """Runs a command without any setting that leads OpenCL's loader to a driver; its exit code and output."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OCL_ICD", "OPENCL_"))}
    environment.update(variables)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, timeout=300)
    return done.returncode, done.stdout.decode()


def run(folder, name, *options, temporary):
    command = (sys.executable, os.path.join(folder, name), "--quick") + options
    return execute(command, {"DASK_TEMPORARY_DIRECTORY": str(temporary)})


def test_many_devices(tmp_path):
    picture = tmp_path / "picture.pgm"
    code, text = run(os.path.join(EXAMPLES, MANY[0]), MANY[1], "--output", str(picture), temporary=tmp_path)
    assert code == 0, text
    assert "all pictures have equal bits" in text and "stops" not in text
    assert picture.read_bytes().startswith(b"P5 256 256 255\n")


def test_a_queue_that_fails(tmp_path):
    code, text = run(os.path.join(EXAMPLES, MANY[0]), MANY[1], "--fail", "0", temporary=tmp_path)
    assert code == 0, text
    assert "queue 0 (device 0) stops" in text and "all pictures have equal bits" in text
    code, text = run(
        os.path.join(EXAMPLES, MANY[0]), MANY[1], "--devices", "0", "--fail", "0", "1", temporary=tmp_path
    )
    assert code == 1 and "no device is left" in text, text


@pytest.mark.parametrize("option", [[], ["--by-environment"]])
def test_a_worker_that_is_killed(option, tmp_path):
    code, text = run(os.path.join(EXAMPLES, SWEEP[0]), SWEEP[1], "--kill", *option, temporary=tmp_path)
    assert code == 0, text
    assert "killed process" in text and "the 3 runs have equal results" in text


@pytest.mark.parametrize(
    "example, right, wrong", [(MANY, "* 16 + a", "* 16 + b"), (SWEEP, "odds.x : odds.y", "odds.y : odds.x")]
)
def test_wrong_results(example, right, wrong, tmp_path):
    folder = tmp_path / example[0]
    shutil.copytree(os.path.join(EXAMPLES, example[0]), str(folder))
    kernel = folder / "kernel.cl"
    text = kernel.read_text()
    assert right in text
    kernel.write_text(text.replace(right, wrong))
    code, text = run(str(folder), example[1], temporary=tmp_path)
    assert code == 1 and "wrong results" in text, text


def test_sanitizers(tmp_path):
    folder = tmp_path / SANITIZERS
    shutil.copytree(os.path.join(EXAMPLES, SANITIZERS), str(folder))
    for name in (".github/workflows/kernels.yml", ".gitlab-ci.yml"):
        assert "- sh check.sh\n" in (folder / name).read_text().replace("- run: ", "- ")
    check = ("sh", str(folder / "check.sh"))
    code, text = execute(check, {})
    assert code == 0 and " passed" in text and not (folder / "report.json").exists(), text

    # The report in README.md. How often a race is found, and by which work-items, depends on the device.
    shown = (folder / "README.md").read_text().split("```text\n")[1].split("```")[0]
    code, text = execute(check + ("broken",), {})
    assert code == 66 and (folder / "report.json").exists(), text
    for line in shown.splitlines():
        assert "note:" in line or line.split(", 112 times")[0] in text, text

    # Without a host program.
    shutil.copy(str(folder / "broken" / "sum.cl"), str(folder / "kernels" / "sum.cl"))
    code, text = execute(check, {})
    assert code == 66 and "kernels/sum.cl:9:" in text, text
