"""Our own challenges: each is proven, and as thorough as we want ours to be.

The proofs themselves take five minutes: `make verify` makes them and writes docs/fidelity.md, and what is held here is
that the page tells of these very files. That right answers pass and wrong ones fail is tested by the corpus.
"""

from functools import cache

import pytest

from benchmarks.fidelity import PAGE, version_line
from grader.exercise import exercise_of
from grader.proof.folder import problems_of
from grader.proof.mutation import mutants_for
from tests.installed import installed

CHALLENGES = installed()
MISCONCEPTIONS, ACCEPTED, MUTANTS = 12, 8, 200
MOST_THOROUGH = {"mha-rope": 60}
# The tutorial's result: an afternoon's exercise, held to less.
AFTERNOON = {"rmsnorm"}


@cache
def page() -> dict[str, str]:
    """The chapters of docs/fidelity.md, by challenge."""
    chapters = PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
    return {chapter.partition("\n")[0]: chapter for chapter in chapters}


@pytest.mark.parametrize("slug", CHALLENGES)
def test_the_challenge_is_proven_as_it_stands(slug: str) -> None:
    """Run `make verify` when this fails: it proves all challenges and writes the page."""
    assert version_line(CHALLENGES[slug]) in page()[slug]


@pytest.mark.parametrize("slug", CHALLENGES)
def test_the_page_about_fidelity_tells_of_every_mistake(slug: str) -> None:
    told = page()[slug]
    exercise = exercise_of(CHALLENGES[slug])
    assert not [mistake.name for mistake in exercise.misconceptions if f"| {mistake.name} |" not in told]
    assert "**Mutation score" in told


@pytest.mark.parametrize("slug", CHALLENGES)
def test_the_folder_is_sound(slug: str) -> None:
    assert not list(problems_of(CHALLENGES[slug]))


@pytest.mark.parametrize("slug", [slug for slug in CHALLENGES if slug not in AFTERNOON])
def test_the_challenge_is_thorough(slug: str) -> None:
    exercise = exercise_of(CHALLENGES[slug])
    ideas = {mistake.id for mistake in exercise.misconceptions}
    assert len(ideas) >= MOST_THOROUGH.get(slug, MISCONCEPTIONS)
    assert len(exercise.variants("accepted")) >= ACCEPTED
    assert exercise.variants("cheats")
    assert len(mutants_for(CHALLENGES[slug])) >= MUTANTS
    assert CHALLENGES[slug].manifest.max_score == pytest.approx(100)
