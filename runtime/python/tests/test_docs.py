"""Every block of code in docs/python.md is executed, in order."""

import os
import subprocess

import pytest

FOLDER = os.environ.get("CLFORGE_DOCS") or os.path.join(os.path.dirname(__file__), "..", "..", "..", "docs")


def blocks(name):
    """The blocks of a document, with their languages and lines."""
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        lines = file.read().split("\n")
    found, start, language = [], None, ""
    for number, line in enumerate(lines):
        if line.startswith("```") and start is None:
            start, language = number + 1, line[3:]
        elif line == "```":
            found.append((language, start + 1, "\n".join(lines[start:number]) + "\n"))
            start = None
    return found


def run_cells(text):
    """Runs the cells of a notebook, which blank lines separate."""
    ipython = pytest.importorskip("IPython.core.interactiveshell", reason="IPython is not installed")
    shell = ipython.InteractiveShell()
    for cell in text.split("\n\n"):
        shell.run_cell(cell.strip()).raise_error()


def test_the_document(tmp_path, monkeypatch):
    for name in ("numpy", "pyopencl", "matplotlib"):
        pytest.importorskip(name, reason="{} is not installed".format(name))
    # Plots are files.
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OCL_ICD", "OPENCL_"))}
    variables = {"__name__": "python.md"}
    found = blocks("python.md")
    assert {language for language, _, _ in found} == {"python", "sh", "ipython"}
    for language, line, text in found:
        if language == "sh":
            subprocess.run(["sh", "-e", "-c", text], check=True, env=environment, timeout=300)
        elif language == "ipython":
            run_cells(text)
        else:
            # Blank lines before it, so that errors have the document's lines.
            exec(compile("\n" * (line - 1) + text, "python.md", "exec"), variables)
    variables["plt"].close("all")
