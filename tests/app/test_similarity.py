"""Which submissions look alike: names do not matter, the starter does not count, and nobody is accused."""

import subprocess
import sys
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

import pytest

from app.similarity.compare import Alike, Found, Task, _at_most, _lines, compare
from app.similarity.schemas import Sender
from app.similarity.service import Comparisons, SourcesToCompare
from grader.challenge import DEFAULT_ROOT
from tests.app.school import School, make_report
from tests.app.test_assignments import assign
from tests.patience import wait_until

ACCEPTED = DEFAULT_ROOT / "mha-rope" / "accepted"
STARTER = (DEFAULT_ROOT / "mha-rope" / "starter" / "layers.py").read_text()
COMPLEX, EINSUM = ((ACCEPTED / name).read_text() for name in ("complex_rope.py", "one_einsum_for_each_step.py"))
RENAMED = COMPLEX.replace("theta", "basis").replace("scores", "weights")


def test_other_names_and_comments_hide_nothing_and_lines_are_told() -> None:
    (pair,) = compare([EINSUM, COMPLEX, f"# mine\n{RENAMED}"], STARTER)
    assert (pair.left, pair.right) == (1, 2)
    assert pair.score > 0.9
    assert len(pair.left_lines) > 10
    assert max(pair.right_lines) <= len(RENAMED.splitlines()) + 1
    assert compare([STARTER, STARTER], STARTER) == []


def test_nothing_is_loaded_to_draw_with() -> None:
    """The image `app` does without it (Dockerfile)."""
    program = "import sys; from app.similarity.compare import main; main(); print(*sys.modules, file=sys.stderr)"
    task = Task(sources=[COMPLEX, RENAMED], starter=STARTER).model_dump_json()
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, input=task, capture_output=True, text=True, check=True)
    assert len(Found.model_validate_json(done.stdout).pairs) == 1
    left_out = {"PIL", "contourpy", "cycler", "fontTools", "kiwisolver", "pyparsing", "mpl_toolkits"}
    loaded = set(done.stderr.split())
    assert "numpy" in loaded
    assert not left_out & loaded
    assert {name for name in loaded if name.startswith("matplotlib.")} == {"matplotlib.pyplot"}  # an empty one


def test_a_stretch_of_characters_is_the_lines_that_it_touches() -> None:
    assert _lines("one\ntwo\nthree\nfour\n", ([4], [11])) == [2, 3]
    assert _lines("one\ntwo\n", ([0], [4])) == [1]


def test_staff_are_told_where_to_look(school: School) -> None:
    assign(school)
    for student, source in (("ada", COMPLEX), ("bob", RENAMED), ("cyd", COMPLEX)):
        if student == "cyd":
            school.add("cyd")
        school.grade(school.submit(student, source.encode())["id"], make_report())
    found = wait(school)
    assert [sorted(sender["student"] for sender in senders) for senders in found["same"]] == [["ada", "cyd"]]
    (pair,) = found["pairs"]
    assert {side["sent_by"][0]["student"] for side in (pair["left"], pair["right"])} == {"ada", "bob"}
    assert pair["score"] > 0.9


def test_one_submission_is_like_no_other(school: School) -> None:
    assign(school)
    assert read(school)["progress"] == "ready"
    school.grade(school.submit("ada", COMPLEX.encode())["id"], make_report())
    assert read(school) == {"progress": "ready", "students": 1, "same": [], "pairs": [], "left_out": 0}


def read(school: School) -> Any:
    response = school.client("grace").get("/courses/demo/similarity", params={"assignment": "attention"})
    assert response.status_code == 200, response.text
    return response.json()


def wait(school: School) -> Any:
    wait_until(lambda: read(school)["progress"] != "comparing")
    found = read(school)
    assert found["progress"] == "ready"
    return found


HARD = COMPLEX + "a=1;" * 15_000


def test_a_file_that_takes_too_long_is_compared_with_nothing_and_the_rest_are() -> None:
    """In the program: among the tests' own garbage, the end could come in a callback of the collector, and be lost."""
    program = "from app.similarity import compare; compare.FILE_CPU_S = 0.3; compare.main()"
    task = Task(sources=[HARD, COMPLEX, RENAMED], starter="").model_dump_json()
    done = subprocess.run([sys.executable, "-c", program], input=task, capture_output=True, text=True, check=True)
    (pair,) = Found.model_validate_json(done.stdout).pairs
    assert (pair.left, pair.right) == (1, 2)


def test_an_end_that_is_lost_comes_again() -> None:
    with pytest.raises(TimeoutError), _at_most(0.05):
        _work_and_lose_one()


def _work_and_lose_one() -> None:
    with suppress(TimeoutError):
        while True:
            sum(range(100))
    while True:
        sum(range(100))


def test_one_course_does_not_hold_up_another() -> None:
    """Twelve hard comparisons of one course were asked for first."""
    comparisons = Comparisons()
    sender = [Sender(student="ada", submission="s")]

    def of(course: str, number: int, texts: list[str]) -> Future[list[Alike]]:
        senders = [[Sender(student="ada", submission=f"{course}-{number}")], sender]
        return comparisons.of(SourcesToCompare(senders, 0, course, lambda: Task(sources=texts, starter="")))

    try:
        greedy = [of("greedy", number, [HARD, f"x = {number}\n{HARD}"]) for number in range(12)]
        assert len(of("other", 0, [COMPLEX, RENAMED]).result(120)) == 1
        assert sum(found.done() for found in greedy) < 6
    finally:
        comparisons.close()
