"""`assay challenge new --repository`: a repository of exercises whose hook and workflow do what they say.

GitHub itself is not here: the workflow is read as data, and its commands are run as they stand in the file.
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from assay.new_challenge import Names
from assay.new_repository import write_repository
from tests.assay.conftest import Assay
from tests.patience import PATIENCE_S
from tests.worker.test_repositories import commit, run_git

MISTAKE = '''"""Shares are halved.

They are to sum to one. What do yours sum to?
"""


def share(x):
    weights = torch.exp(x)
    return weights / weights.sum(dim=-1, keepdim=True) / 2
'''


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With two commits: the second adds a mistake to one exercise, and removes one."""
    folder = tmp_path_factory.mktemp("author") / "course"
    exercise = write_repository(Names.of("shares", None), folder)
    write_repository(Names.of("untouched", None), folder)
    commit(folder)
    (exercise / "misconceptions" / "halved.py").write_text(MISTAKE)
    (exercise / "misconceptions" / "softmax-dim.py").unlink()
    commit(folder)
    return folder


def workflow(course: Path) -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load((course / ".github" / "workflows" / "verify.yml").read_text())
    return read


def command(course: Path, job: str, name: str) -> str:
    (step,) = [step for step in workflow(course)["jobs"][job]["steps"] if step.get("name") == name]
    return str(step["run"])


def run(script: str, folder: Path, **told: str) -> "subprocess.CompletedProcess[str]":
    """As GitHub runs a step, where `assay` is installed."""
    typed = f'assay() {{ "{sys.executable}" -P -m assay "$@"; }}\n{script}'
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8", "OMP_NUM_THREADS": "1", **told}
    return subprocess.run(
        ["bash", "-e", "-c", typed],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def test_the_repository_has_what_an_author_needs_and_names_of_ours_are_put_in(assay: Assay, tmp_path: Path) -> None:
    done = assay("challenge", "new", "layer-norm", "--repository", "course")
    assert done.returncode == 0, done.stderr
    assert "git -C course add ." in done.stdout
    names = {path.relative_to(tmp_path / "course").as_posix() for path in (tmp_path / "course").rglob("*")}
    assert {"README.md", ".gitignore", ".pre-commit-config.yaml", "requirements.txt"} <= names
    assert {".github/workflows/verify.yml", "exercises/layer-norm/challenge.toml", ".git"} <= names
    assert "new-slug" not in (tmp_path / "course" / "README.md").read_text()
    assert re.search(r"^assay\[worker\](==| @ git\+)", (tmp_path / "course" / "requirements.txt").read_text(), re.M)


def test_a_second_exercise_leaves_what_the_author_has_written(assay: Assay, tmp_path: Path) -> None:
    assay("challenge", "new", "shares", "--repository", "course")
    (tmp_path / "course" / "README.md").write_text("Mine.")
    assert assay("challenge", "new", "others", "--repository", "course").returncode == 0
    assert (tmp_path / "course" / "README.md").read_text() == "Mine."
    again = assay("challenge", "new", "others", "--repository", "course")
    assert (again.returncode, again.stderr.startswith("Error: course/exercises/others already exists.")) == (2, True)


def test_the_workflow_may_do_little_and_a_fork_may_do_nothing_with_it(course: Path) -> None:
    read, text = workflow(course), (course / ".github" / "workflows" / "verify.yml").read_text()
    assert list(read[True]) == ["pull_request"]  # `on` is a yes in YAML
    assert read["permissions"] == {}
    assert {name: job["permissions"] for name, job in read["jobs"].items()} == {
        "verify": {"contents": "read"},
        "comment": {"pull-requests": "write"},
    }
    assert "secrets." not in text
    steps = {name: job["steps"] for name, job in read["jobs"].items()}
    used = [step["uses"] for each in steps.values() for step in each if "uses" in step]
    assert all(re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", action) for action in used)
    assert not [step for step in steps["comment"] if "checkout" in step.get("uses", "")]
    (checkout,) = [step for step in steps["verify"] if "checkout" in step.get("uses", "")]
    assert checkout["with"]["persist-credentials"] is False
    assert "head.repo.full_name == github.repository" in read["jobs"]["comment"]["if"]
    assert not [step for each in steps.values() for step in each if "${{" in step.get("run", "")]


def test_the_workflows_commands_prove_what_changed_and_comment_it(course: Path, tmp_path: Path) -> None:
    proved = run(command(course, "verify", "Verify"), course)
    assert proved.returncode == 0, proved.stdout + proved.stderr
    assert "misconception halved: killed by" in proved.stdout
    assert "untouched" not in proved.stdout
    summary = tmp_path / "summary"
    assert run(command(course, "verify", "Summary"), course, GITHUB_STEP_SUMMARY=str(summary)).returncode == 0
    told = (course / "proof.md").read_text()
    assert summary.read_text() == told
    assert told.startswith("### shares: ")
    assert "2 of 2 misconceptions are named by their diagnosis; 1 new, 1 removed." in told
    assert "* Lost: the misconception `softmax-dim` is removed." in told
    assert "| `halved` | `gradients`, `large-values`, `values` | `halved` | new |" in told
    assert re.search(r"^\* mutants: \d+ of \d+ killed", told, re.M)

    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "gh").write_text('#!/bin/sh\necho "$@" > called\ncat "$5" > body\n')
    (programs / "gh").chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    assert run(command(course, "comment", "Comment"), course, PATH=path, NUMBER="7").returncode == 0
    assert (course / "called").read_text() == "pr comment 7 --body-file proof.md --edit-last --create-if-none\n"
    assert (course / "body").read_text() == told


def hook(course: Path) -> str:
    ((each,),) = [repo["hooks"] for repo in yaml.safe_load((course / ".pre-commit-config.yaml").read_text())["repos"]]
    assert each["language"] == "system"
    return str(each["entry"])


def test_the_hook_tells_a_slip_with_file_and_line_before_it_is_committed(course: Path) -> None:
    clean = run(hook(course), course)
    assert (clean.returncode, clean.stdout) == (0, "No exercise differs from HEAD.\n")
    cases = course / "exercises" / "shares" / "cases.py"
    sound = cases.read_text()
    cases.write_text(sound.replace('"levels"', '"offset"'))
    refused = run(hook(course), course)
    cases.write_text(sound)
    assert refused.returncode == 1
    assert "shares/cases.py, line 41: `large_values` yields two cases with the id 'offset'" in refused.stdout


def test_before_the_first_commit_everything_is_new(tmp_path: Path) -> None:
    write_repository(Names.of("shares", None), tmp_path / "course")
    first = run(hook(tmp_path / "course"), tmp_path / "course")
    assert first.returncode == 0, first.stdout + first.stderr
    assert "shares holds: 2 checks" in first.stdout


def test_a_commit_that_is_none_and_a_folder_that_is_no_repository_are_told(assay: Assay, course: Path) -> None:
    told: Mapping[str, Path] = {"nowhere": course, "-x": course, "HEAD": course.parent}
    for ref, folder in told.items():
        done = assay("challenge", "verify", f"--since={ref}", "--root", folder)
        assert done.returncode == 2
        assert done.stderr.startswith(f"Error: git knows no commit {ref!r} of {folder}.")


def test_what_extends_a_changed_exercise_is_proved_too(course: Path) -> None:
    from assay.changes import as_it_was, changed_since  # noqa: PLC0415 - what is under test

    base, root = course / "exercises" / "untouched", course / "exercises"
    (root / "more").mkdir()
    (root / "more" / "challenge.toml").write_text('extends = "untouched"\n')
    run_git(course, "add", ".")
    run_git(course, "commit", "--quiet", "--message", "More")
    (base / "reference.py").write_text((base / "reference.py").read_text() + "\n# changed\n")
    assert changed_since(root, "HEAD") == ["more", "untouched"]
    with as_it_was(root, "HEAD") as then:
        assert "# changed" not in (then / "untouched" / "reference.py").read_text()
        assert {path.name for path in then.iterdir()} == {"more", "shares", "untouched"}
    run_git(course, "checkout", "--quiet", ".")
