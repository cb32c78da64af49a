"""A whole first assignment from the lecturer's command to the student's board, on a real service. It takes as long as
its exercises take to be verified: `make test-assignment`.
"""

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from grader.exercise import exercise_of
from tests.assay.test_up import Engine, Up, start
from tests.assignment import EXERCISES, file_of, one_mistake, parts, write_package
from tests.patience import PATIENCE_S

if "ASSAY_TEST_ASSIGNMENT" not in os.environ:
    pytest.skip(
        "NOT RUN: a whole assignment on a real service; `make test-assignment` runs it", allow_module_level=True
    )

NAMESPACE = "lm"
PARTS = parts(f"{NAMESPACE}.")


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """It serves the installed exercises, and those of the folder."""
    running = start(tmp_path_factory.mktemp("up") / "data")
    words = [sys.executable, "-P", "-m", "assay", "exercises", "--data-dir", str(running.data)]
    try:
        subprocess.run([*words, "add", str(EXERCISES), "--name", NAMESPACE], check=True)
        yield running
    finally:
        running.process.terminate()
        running.process.communicate(timeout=PATIENCE_S)


@pytest.fixture(scope="module")
def engine(up: Up, tmp_path_factory: pytest.TempPathFactory) -> Engine:
    folder = tmp_path_factory.mktemp("student")
    write_package(folder)
    return Engine(up, folder)


def board(engine: Engine, *words: str) -> dict[str, Any]:
    """What became of each part, by its slug."""
    said = json.loads(engine.run("submit-build", "--json", *words))
    return {part["challenge"]: part for part in said["parts"]}


def test_a_right_package_passes_and_a_wrong_file_of_each_part_is_named(engine: Engine) -> None:
    engine.run("init", "--yes")
    chosen = tomllib.loads((engine.folder / "engine.toml").read_text())["exercises"]
    files = {slug: file_of(engine.folder, challenge) for slug, challenge in PARTS.items()}
    assert {slug: engine.folder / file for slug, file in chosen.items()} == files
    passed = board(engine)
    assert {slug: part["verdict"] for slug, part in passed.items()} == dict.fromkeys(PARTS, "passed")

    mistakes = {slug: one_mistake(challenge) for slug, challenge in PARTS.items()}
    for slug, challenge in PARTS.items():
        files[slug].write_bytes(exercise_of(challenge).submission_with(mistakes[slug]).source)
    failed = board(engine)
    named = {slug: [diagnosis["id"] for diagnosis in part["report"]["diagnoses"]] for slug, part in failed.items()}
    assert named == {slug: [mistake.id] for slug, mistake in mistakes.items()}
    assert {part["verdict"] for part in failed.values()} == {"failed"}
