"""Which submissions are alike: names, order, layout and helpers make no difference, and nobody is accused."""

import subprocess
import sys
from concurrent.futures import Future
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from app.similarity.budget import at_most
from app.similarity.clusters import clusters_of
from app.similarity.compare import Comparison, Found, Task
from app.similarity.forms import Reason
from app.similarity.schemas import Sender
from app.similarity.service import Comparisons, SourcesToCompare
from app.similarity.structure import Structure, alike_in_steps, own_steps, structures_of
from app.similarity.text import lines_touched
from benchmarks.disguise import DISGUISES, disguise
from grader.challenge import DEFAULT_ROOT
from tests.app.school import School, make_report
from tests.app.test_assignments import assign
from tests.patience import wait_until

ACCEPTED = DEFAULT_ROOT / "mha-rope" / "accepted"
BLIND = Path(__file__).parents[1] / "blind" / "mha-rope" / "passed"
STARTER = (DEFAULT_ROOT / "mha-rope" / "starter" / "layers.py").read_text()
COMPLEX, EINSUM = ((ACCEPTED / name).read_text() for name in ("complex_rope.py", "one_einsum_for_each_step.py"))
RENAMED = COMPLEX.replace("theta", "basis").replace("scores", "weights")


def test_other_names_and_comments_hide_nothing_and_lines_are_told() -> None:
    (pair,) = found(EINSUM, COMPLEX, f"# mine\n{RENAMED}").pairs
    assert (pair.left, pair.right) == (1, 2)
    assert pair.score > 0.9
    assert (pair.reason, pair.is_whole) == (Reason.NAMES, True)
    assert len(pair.left_lines) > 10
    assert max(pair.right_lines) <= len(RENAMED.splitlines()) + 1
    assert found(STARTER, STARTER).pairs == []


def found(*sources: str) -> Found:
    return Comparison(Task(sources=list(sources), starter=STARTER)).found()


@pytest.mark.parametrize("name", DISGUISES)
def test_a_disguise_does_not_hide_a_copy(name: str) -> None:
    for original in (COMPLEX, EINSUM):
        (pair,) = found(original, disguise(original, (name,), 1)).pairs
        assert pair.reason is not Reason.TEXT
        assert pair.score > 0.8


def test_all_disguises_together_do_not_either() -> None:
    (pair,) = found(COMPLEX, disguise(COMPLEX, tuple(DISGUISES), 1), EINSUM).pairs
    assert (pair.left, pair.right) == (0, 1)


def test_it_is_said_in_what_two_files_are_alike() -> None:
    def reason(*names: str) -> tuple[Reason, bool]:
        (pair,) = found(EINSUM, disguise(EINSUM, names, 1)).pairs
        return pair.reason, pair.is_whole

    assert reason("reformat") == (Reason.LAYOUT, True)
    assert reason("reformat", "rename") == (Reason.NAMES, True)
    assert reason("rename", "reorder") == (Reason.ORDER, True)
    assert reason("rename", "inline", "extract")[0] is Reason.STEPS


def test_right_answers_that_compute_the_same_are_not_alike() -> None:
    """Answers to one exercise, from its spec alone; one hand wrote several, and uses its lines again."""
    paths = sorted(BLIND.parents[1].glob("mha-functional/passed/*.py"))
    files = structures_of([path.read_text("utf-8-sig") for path in paths])
    assert len(files) > 60
    pairs = len(files) * (len(files) - 1) / 2
    assert len(list(alike_in_steps(own_steps(files, Structure())))) <= pairs / 2_200


def test_what_a_third_of_the_class_has_does_not_count() -> None:
    copies = [disguise(COMPLEX, names, 1) for names in ((), ("rename",), ("reorder",), ("extract",))]
    files = structures_of([*copies, *(path.read_text() for path in sorted(BLIND.glob("*.py"))[:9])])
    nothing = Structure()
    assert set(alike_in_steps(own_steps(files, nothing))) >= set(combinations(range(4), 2))
    assert not set(alike_in_steps(own_steps(files[:9], nothing))) & set(combinations(range(4), 2))


def test_students_are_told_in_groups_with_what_all_share() -> None:
    copies = [disguise(COMPLEX, names, 1) for names in ((), ("rename",), ("reorder", "pad"))]
    other = (BLIND / "plain_torch.py").read_text()
    groups = found(EINSUM, *copies, disguise(EINSUM, ("rename",), 1), other).groups
    assert sorted(sorted(group.members) for group in groups) == [[0, 4], [1, 2, 3]]
    (three,) = (group for group in groups if len(group.members) == 3)
    first = found_source = [EINSUM, *copies][three.members[0]].splitlines()
    assert len(three.shared) > 5
    assert all(found_source[line.number - 1] == line.text for line in three.shared), first


def test_a_chain_is_one_group_and_ties_are_as_few_as_hold_it() -> None:
    clusters = clusters_of([(3, 4), (0, 1), (1, 2), (0, 2)])
    assert clusters.members == [[3, 4], [0, 1, 2]]
    assert clusters.ties == [(3, 4), (0, 1), (1, 2)]


HOSTILE = {
    "nested parentheses": "(" * 30_000 + ")" * 30_000,
    "nested lists": "x = " + "[" * 150 + "]" * 150,
    "a long sum": "x = " + "a+" * 30_000 + "a",
    "many signs": "x = " + "-" * 60_000 + "1",
    "many attributes": "x = a" + ".b" * 30_000,
    "many calls": "x = f" + "()" * 30_000,
    "a large number": "x = 0x" + "f" * 60_000,
    "a large text": 'x = "' + "a" * 60_000 + '"',
    "doubling helpers": "".join(f"def f{n}(x):\n    return f{n + 1}(x) + f{n + 1}(x * {n})\n" for n in range(400)),
    "a circle": "def f(x):\n    return g(x)\ndef g(x):\n    return f(x)\n",
    "many names": "".join(f"a{n} = {n}\n" for n in range(6_000)),
    "nested blocks": "".join(" " * n + "if x:\n" for n in range(90)) + " " * 90 + "pass\n",
    "many branches": "def f(x):\n" + "".join(f"    if x == {n}:\n        x = x + {n}\n" for n in range(1_500)),
    "a zero byte": "x = 1\0",
    "half a character": "x = '\\ud800'",
    "escapes": "x = '" + "\\\\d" * 10_000 + "\\d'",
}


def test_hostile_files_end_soon_and_hide_no_other() -> None:
    program = "from app.similarity import compare, text; text.FILE_CPU_S = 0.05; compare.main()"
    task = Task(sources=[*HOSTILE.values(), COMPLEX, RENAMED], starter=STARTER).model_dump_json()
    done = subprocess.run([sys.executable, "-c", program], input=task, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-1000:]
    (pair,) = Found.model_validate_json(done.stdout).pairs
    assert (pair.left, pair.right) == (len(HOSTILE), len(HOSTILE) + 1)


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
    assert lines_touched("one\ntwo\nthree\nfour\n", ([4], [11])) == [2, 3]
    assert lines_touched("one\ntwo\n", ([0], [4])) == [1]


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
    assert read(school) == {"progress": "ready", "students": 1, "same": [], "pairs": [], "clusters": [], "left_out": 0}


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
    program = "from app.similarity import compare, text; text.FILE_CPU_S = 0.3; compare.main()"
    task = Task(sources=[HARD, COMPLEX, RENAMED], starter="").model_dump_json()
    done = subprocess.run([sys.executable, "-c", program], input=task, capture_output=True, text=True, check=True)
    pairs = Found.model_validate_json(done.stdout).pairs
    assert {(pair.left, pair.right) for pair in pairs} >= {(1, 2)}


def test_an_end_that_is_lost_comes_again() -> None:
    with pytest.raises(TimeoutError), at_most(0.05):
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
    sender = [Sender(student="ada", full_name=None, submission="s")]

    def of(course: str, number: int, texts: list[str]) -> Future[Found]:
        senders = [[Sender(student="ada", full_name=None, submission=f"{course}-{number}")], sender]
        return comparisons.of(SourcesToCompare(senders, 0, course, lambda: Task(sources=texts, starter="")))

    try:
        greedy = [of("greedy", number, [HARD, f"x = {number}\n{HARD}"]) for number in range(12)]
        assert len(of("other", 0, [COMPLEX, RENAMED]).result(120).pairs) == 1
        assert sum(found.done() for found in greedy) < 6
    finally:
        comparisons.close()
