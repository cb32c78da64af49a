"""The exercises of `examples/exercises`: the building blocks of a language model, an optimiser, a tokenizer.

`assay challenge verify SLUG --root examples/exercises` proves them, in some minutes; here is what would break first.
"""

import contextlib
import io
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from grader.challenge import load_challenges
from grader.exercise import exercise_of
from grader.grade import grade
from grader.guest.submission import Submission
from grader.hunt import HuntBank
from grader.inprocess import InProcess, trusted_module
from grader.paper.combinations import coverage
from grader.proof.coverage import unsaid
from grader.proof.folder import problems_of
from grader.proof.hunt import observe
from grader.report import Report, Verdict

ROOT = Path(__file__).parents[2] / "examples" / "exercises"
CHALLENGES = load_challenges(ROOT)
EXERCISES = {slug: exercise_of(challenge) for slug, challenge in CHALLENGES.items()}
SEED = 11
OF_EACH = pytest.mark.parametrize("slug", CHALLENGES)


def report_of(slug: str, submission: Submission, **how: Any) -> Report:
    return grade(CHALLENGES[slug], submission, SEED, InProcess(), is_timed=False, **how)


def of_all(folder: str) -> list[tuple[str, str]]:
    return [(slug, variant.name) for slug, exercise in EXERCISES.items() for variant in exercise.variants(folder)]


def variant(slug: str, folder: str, name: str) -> Submission:
    return next(each.submission for each in EXERCISES[slug].variants(folder) if each.name == name)


def with_mistake(slug: str, name: str) -> Submission:
    exercise = EXERCISES[slug]
    return exercise.submission_with(*(mistake for mistake in exercise.misconceptions if mistake.name == name))


@OF_EACH
def test_the_exercise_is_whole(slug: str) -> None:
    exercise = EXERCISES[slug]
    assert not list(problems_of(CHALLENGES[slug]))
    assert CHALLENGES[slug].manifest.max_score == pytest.approx(100)
    assert len({mistake.id for mistake in exercise.misconceptions}) >= 15
    assert len(exercise.variants("accepted")) >= 8
    assert exercise.spaces
    for function, space in exercise.spaces.items():
        assert not coverage(space, exercise.choices[function]).missing
        assert not list(unsaid(CHALLENGES[slug].spec(), space))


@OF_EACH
def test_students_are_told_of_no_file_that_they_do_not_have(slug: str) -> None:
    """Theirs is SLUG.md, as `engine init` writes it, and the page of the exercise."""
    told = [CHALLENGES[slug].starter().decode(), *(case.title for case in EXERCISES[slug].paper(SEED).cases)]
    told += [seen.model_dump_json() for seen in HuntBank.load(CHALLENGES[slug].hunt_folder).observed.values()]
    assert not [words for words in told if "spec.md" in words]


@pytest.mark.parametrize(("slug", "name"), of_all("accepted"))
def test_right_answers_pass(slug: str, name: str) -> None:
    report = report_of(slug, variant(slug, "accepted", name), is_guided=False)
    assert report.verdict is Verdict.PASSED, report.summary


@pytest.mark.parametrize(("slug", "name"), of_all("cheats"))
def test_cheats_do_not(slug: str, name: str) -> None:
    assert report_of(slug, variant(slug, "cheats", name), is_guided=False).verdict is Verdict.FAILED


@pytest.mark.parametrize(
    ("slug", "name"),
    [
        ("adamw", "decay-coupled"),
        ("adamw", "count-shared.each"),
        ("adamw", "lr-kept"),
        ("adamw", "graph-kept"),
        ("adamw", "zero-grad-fills"),
        ("adamw", "stale-cache"),
        ("adamw", "settings-unchecked.betas"),
        ("swiglu-ffn", "silu-on-w3"),
        ("swiglu-ffn", "gelu-gate.sigmoid"),
        ("swiglu-ffn", "weights-not-transposed"),
        ("swiglu-ffn", "unstable-sigmoid.gradient"),
        ("swiglu-ffn", "detached-gradient.sigmoid"),
        ("swiglu-ffn", "width-from-rule"),
        ("swiglu-ffn", "stale-cache"),
        ("bpe", "tie-first-seen"),
        ("bpe", "longest-token"),
        ("bpe", "iterable-as-list"),
        ("bpe", "decoding-strict"),
        ("bpe", "argument-sorted"),
        ("bpe", "unknown-numbers-skipped"),
        ("softmax", "dim-zero-is-false"),
        ("softmax", "zero-shares-gradient"),
        ("softmax", "unstable-softmax.where-positive"),
        ("batch-sampling", "last-place-missing"),
        ("batch-sampling", "targets-drawn-apart"),
        ("batch-sampling", "rows-sorted"),
        ("batch-sampling", "seed-set"),
        ("gradient-clipping", "each-by-itself"),
        ("gradient-clipping", "not-in-place"),
        ("gradient-clipping", "eps-in-the-comparison"),
        ("lr-schedule", "cosine-steps-as-length"),
        ("lr-schedule", "no-cosine-divides"),
        ("lr-schedule", "stale-cache"),
        ("cross-entropy", "every-target-at-every-position"),
        ("cross-entropy", "zero-times-infinity"),
        ("cross-entropy", "shift-by-target"),
        ("transformer-block", "residual-from-norm.ffn"),
        ("transformer-block", "norm-shared"),
        ("transformer-block", "mask-by-position"),
        ("transformer-block", "weights-by-order"),
        ("transformer-block", "dictionary-emptied"),
        ("transformer-block", "silu-overflows"),
        ("transformer-lm", "layers-as-text"),
        ("transformer-lm", "final-norm-of-a-block"),
        ("transformer-lm", "padding-gradient"),
        ("linear", "transpose-missing.where-it-fits"),
        ("linear", "moved-to-the-limit.zero"),
        ("linear", "weight-no-parameter"),
        ("embedding", "gradient-not-added"),
        ("embedding", "numbers-narrowed.float16"),
        ("checkpoint", "averages-kept"),
        ("checkpoint", "float32-only"),
        ("checkpoint", "mode-changed.saving"),
        ("checkpoint", "name-changed.suffix"),
        ("checkpoint", "latest-loaded"),
        ("checkpoint", "existing-kept.appended"),
        ("checkpoint", "other-model-accepted.by-order"),
        ("checkpoint", "other-model-accepted.broadcast"),
        ("checkpoint", "weights-replaced"),
    ],
)
def test_a_mistake_is_named(slug: str, name: str) -> None:
    """Of each kind: in state, in values, in types, in what is raised or not, in arguments that are changed."""
    report = report_of(slug, with_mistake(slug, name), is_guided=False)
    assert report.verdict is Verdict.FAILED
    assert [diagnosis.id for diagnosis in report.diagnoses] == [name.partition(".")[0]]


def test_two_mistakes_in_one_optimiser_are_both_named() -> None:
    exercise = EXERCISES["adamw"]
    both = [mistake for mistake in exercise.misconceptions if mistake.name in ("decay-without-lr", "eps-inside-root")]
    report = report_of("adamw", exercise.submission_with(*both), is_guided=False)
    assert {diagnosis.id for diagnosis in report.diagnoses} == {"decay-without-lr", "eps-inside-root"}


@OF_EACH
def test_a_bug_to_hunt_shows_as_it_was_observed(slug: str) -> None:
    bank = HuntBank.load(CHALLENGES[slug].hunt_folder)
    planted = next(iter(bank.all_planted()))
    assert observe(EXERCISES[slug], planted) == bank.observed[planted.name]


def printed_by(snippet: str, name: str, source: bytes, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(sys.modules, name, trusted_module(f"{name}.py", source))
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(snippet, {})
    return out.getvalue()


def test_the_smallest_failing_steps_of_an_optimiser_can_be_run(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = with_mistake("adamw", "momentum-missing")
    guidance = report_of("adamw", wrong).guidance
    assert guidance is not None
    assert guidance.snippet is not None
    assert guidance.snippet.count(".step()") == 2  # one would be right
    last = [torch.tensor(eval(line[2:])) for line in guidance.snippet.splitlines() if line.startswith("# [")][-1]
    for source, is_right in ((EXERCISES["adamw"].reference_source, True), (wrong.source, False)):
        shown = printed_by(guidance.snippet, "adamw", source, monkeypatch).splitlines()[-1]
        value = eval(shown, {"tensor": torch.tensor})[0]
        assert torch.allclose(value, last, atol=1e-4) is is_right


def test_the_smallest_failing_training_shows_the_place_that_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = with_mistake("bpe", "tie-first-seen")
    guidance = report_of("bpe", wrong).guidance
    assert guidance is not None
    assert guidance.snippet is not None
    *_, place, here = guidance.snippet.splitlines()
    assert place.startswith("print(output[0][")
    right = printed_by(guidance.snippet, "bpe", EXERCISES["bpe"].reference_source, monkeypatch).strip()
    got = printed_by(guidance.snippet, "bpe", wrong.source, monkeypatch).strip()
    assert here == f"# Here: got {got}, expected {right}."


def test_files_of_a_process_that_was_forked_are_its_own() -> None:
    """Proving an exercise tries its mutants in one, at the same time; it had emptied the reference's folders."""
    harness = EXERCISES["checkpoint"].program_with().harness
    assert harness is not None
    own = Path(harness.place(None, "a path", "run.pt"))
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        os.write(writes, harness.place(None, "a path", "run.pt").encode())
        os._exit(0)  # as processes of multiprocessing end: nothing is tidied up
    os.waitpid(child, 0)
    theirs = Path(os.read(reads, 4096).decode())
    os.close(reads)
    os.close(writes)
    assert theirs.parent.parent != own.parent.parent
    assert own.parent.is_dir()
    shutil.rmtree(theirs.parent.parent)
