"""`engine` away from our machines: its wheel, other systems, shells, a GitHub Action, a pre-commit hook."""

import ast
import os
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

from engine.cli import COMMANDS
from scripts.client_wheel import CHECK
from tests.engine.conftest import ENGINE, Student
from tests.engine.school import TOKEN

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "deploy" / "action" / "action.yml").read_text(encoding="utf-8"))
HOOKS = yaml.safe_load((ROOT / "deploy" / "pre-commit.yaml").read_text(encoding="utf-8"))
# https://docs.python.org/3/library/: "Availability: Unix"
UNIX = {"crypt", "curses", "fcntl", "grp", "posix", "pty", "pwd", "resource", "readline", "syslog", "termios", "tty"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, ROOT / "scripts" / "client_wheel.py", folder], check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


def test_the_wheel_holds_the_client_and_no_exercise(wheel: Path):
    assert wheel.name.endswith("+client-py3-none-any.whl")  # for every system and every Python from 3.11 on
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = archive.read(next(name for name in names if name.endswith("METADATA"))).decode()
        scripts = archive.read(next(name for name in names if name.endswith("entry_points.txt"))).decode()
    code = {name for name in names if name.endswith(".py")}
    check = {f"grader/guest/{name}.py" for name in CHECK}
    beside = {name for name in code if not name.startswith("engine/")}
    report = {"grader/efficiency_report.py", "grader/report.py", "grader/report_part.py"}
    assert beside == {"grader/__init__.py", "grader/line_diff.py", "grader/notebook.py"} | report | check
    assert code >= {f"engine/commands/{name.replace('-', '_')}.py" for name in COMMANDS}
    assert "torch" not in metadata
    assert scripts.split() == ["[console_scripts]", "engine", "=", "engine.cli:main"]


def test_the_wheel_runs_by_itself(wheel: Path, tmp_path: Path):
    """From a folder of its own, with nothing else of ours to be found."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    program = (
        f"import sys; sys.path[:] = [{str(tmp_path)!r}, *(p for p in sys.path if p and p != {str(ROOT)!r})];"
        "sys.meta_path = [finder for finder in sys.meta_path if 'editable' not in repr(finder).lower()];"
        "import importlib; [importlib.import_module('engine.commands.' + name.replace('-', '_')) "
        "for name in importlib.import_module('engine.cli').COMMANDS];"
        "ours = {m.split('.')[0] for m, found in sys.modules.items()"
        f" if str(getattr(found, '__file__', '') or '').startswith({str(ROOT)!r}) and '.venv' not in found.__file__}};"
        "print(ours, 'torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], cwd="/", capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "set() False", done.stderr


def test_nothing_is_imported_that_only_unix_has():
    """But where it is tried first."""
    for path in (ROOT / "engine").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        tried = {id(node) for attempt in ast.walk(tree) if isinstance(attempt, ast.Try) for node in ast.walk(attempt)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom) and id(node) not in tried:
                names = {getattr(node, "module", None) or alias.name for alias in node.names}
                assert not {name.partition(".")[0] for name in names} & UNIX, path


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_commands(student: Student, shell: str):
    words = {"COMP_WORDS": "engine su", "COMP_CWORD": "su" if shell == "fish" else "1"}
    told = student.environment | words | {"_ENGINE_COMPLETE": f"{shell}_complete"}
    completed = subprocess.run(ENGINE, env=told, capture_output=True, text=True, check=True).stdout
    assert "submit-build" in completed
    assert "history" not in completed
    script = subprocess.run(
        ENGINE, env=told | {"_ENGINE_COMPLETE": f"{shell}_source"}, capture_output=True, text=True, check=True
    ).stdout
    assert "engine" in script


def submit_of_action(student: Student, tmp_path: Path, **inputs: str) -> "subprocess.CompletedProcess[str]":
    """The step `Submit`, as GitHub runs it, with the real client on PATH."""
    (step,) = [step for step in ACTION["runs"]["steps"] if step.get("id") == "submit"]
    given = {name: described.get("default", "") for name, described in ACTION["inputs"].items()} | inputs
    environment = {name: given[value.split(".")[1].rstrip(" }")] for name, value in step["env"].items()}
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "engine").write_text(f'#!/bin/sh\nexec {shlex.join(ENGINE)} "$@"\n', encoding="utf-8")
    (programs / "engine").chmod(0o755)
    told = student.environment | environment | {"GITHUB_OUTPUT": str(tmp_path / "output")}
    told["PATH"] = f"{programs}:{os.environ['PATH']}"
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(command, cwd=student.folder, env=told, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("source", "code"), [(b"# RIGHT\n", 0), (b"x = 1\n", 1)])
def test_the_action_passes_when_the_submission_does(
    student: Student, running: tuple[object, str], tmp_path: Path, source: bytes, code: int
):
    student.write("cs336_basics/layers.py", source)
    done = submit_of_action(student, tmp_path, server=running[1], token=TOKEN, challenge="mha-rope")
    assert done.returncode == code, done.stderr
    assert (student.folder / "assay.xml").read_text(encoding="utf-8").startswith("<?xml")
    assert (tmp_path / "output").read_text(encoding="utf-8").startswith("submission=")


def test_the_action_fails_with_a_sentence_when_there_is_no_server(student: Student, tmp_path: Path):
    student.write("cs336_basics/layers.py", b"right = 1\n")
    done = submit_of_action(student, tmp_path, server="http://127.0.0.1:1", token=TOKEN, challenge="mha-rope")
    assert done.returncode == 3
    assert "127.0.0.1:1" in done.stderr


def test_nothing_that_somebody_typed_stands_in_a_script_of_the_action():
    assert not [step for step in ACTION["runs"]["steps"] if "${{" in step.get("run", "")]
    used = {word for step in ACTION["runs"]["steps"] for word in str(step).split() if word.startswith("inputs.")}
    assert {word.strip("'},").removeprefix("inputs.") for word in used} == set(ACTION["inputs"])


def test_the_hook_calls_the_client_and_its_wheel(wheel: Path):
    (hook,) = HOOKS["repos"][0]["hooks"]
    program, command = hook["entry"].split()[:2]
    assert (program, command in COMMANDS) == ("engine", True)
    assert wheel.name in hook["additional_dependencies"][0]
    assert wheel.name in (ROOT / "deploy" / "action" / "action.yml").read_text(encoding="utf-8")
