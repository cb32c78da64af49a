"""Our own challenges: each proves its tests, and is as thorough as we want ours to be."""

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from functools import cache
from pathlib import Path

import pytest
import torch

from assay.trials import bounded_trials
from grader.challenge import load_challenges
from grader.exercise import exercise_of
from grader.verify import Check, Section, verify
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient

CHALLENGES = load_challenges()
PAGE = Path(__file__).parents[2] / "docs" / "fidelity.md"
PROVERS = 2
PROOF_S = 400.0
MISCONCEPTIONS, ACCEPTED, MUTANTS = 12, 8, 200
MOST_THOROUGH = {"mha-rope": 60}
# The tutorial's result: an afternoon's exercise, held to less.
AFTERNOON = {"rmsnorm"}


def prove(slug: str, runner: RunnerClient) -> list[Check]:
    torch.set_num_threads(1)
    return list(verify(load_challenges()[slug], runner, bounded_trials))


@pytest.fixture(scope="module")
def proofs() -> Iterator[dict[str, "Future[list[Check]]"]]:
    """All proofs, two at a time, the longest first."""
    spawn = multiprocessing.get_context("spawn")
    longest_first = sorted(CHALLENGES, key=lambda slug: -len(exercise_of(CHALLENGES[slug]).misconceptions))
    with private_runner(sessions=2 * PROVERS) as runner, ProcessPoolExecutor(PROVERS, spawn) as pool:
        yield {slug: pool.submit(prove, slug, runner) for slug in longest_first}


@pytest.mark.parametrize("slug", CHALLENGES)
def test_the_challenge_proves_its_tests(slug: str, proofs: dict[str, "Future[list[Check]]"]) -> None:
    checks = proofs[slug].result(PROOF_S)
    assert not [f"{check.section} {check.name}: {check.detail}" for check in checks if not check.holds]
    mutation = next(check.mutation for check in checks if check.section is Section.MUTANTS)
    assert mutation is not None
    assert len(mutation.fates) >= (0 if slug in AFTERNOON else MUTANTS)


@pytest.mark.parametrize("slug", [slug for slug in CHALLENGES if slug not in AFTERNOON])
def test_the_challenge_is_thorough(slug: str) -> None:
    exercise = exercise_of(CHALLENGES[slug])
    ideas = {mistake.id for mistake in exercise.misconceptions}
    assert len(ideas) >= MOST_THOROUGH.get(slug, MISCONCEPTIONS)
    assert len(exercise.variants("accepted")) >= ACCEPTED
    assert exercise.variants("cheats")
    assert CHALLENGES[slug].manifest.max_score == pytest.approx(100)


@cache
def page() -> dict[str, str]:
    """The chapters of docs/fidelity.md, by challenge."""
    chapters = PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
    return {chapter.partition("\n")[0]: chapter for chapter in chapters}


@pytest.mark.parametrize("slug", CHALLENGES)
def test_the_page_about_fidelity_tells_of_every_mistake(slug: str) -> None:
    """Run `make verify` when this fails: it proves all challenges and writes the page."""
    told = page()[slug]
    missing = [
        mistake.name for mistake in exercise_of(CHALLENGES[slug]).misconceptions if f"| {mistake.name} |" not in told
    ]
    assert not missing
    assert "**Mutation score" in told
