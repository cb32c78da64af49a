"""Verifies a commit's exercises in a process of its own, which is confined before it runs a line of the author's: no
network, nothing of this machine to read but Python and the exercises, nothing to write but a scratch folder.

    python -m assay.exercises.proving FOLDER SOCKET SCRATCH first|whole [NAME...]
"""

import json
import os
import resource
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

import torch

import assay
import grader
import worker
from assay.mutant_trials import bounded_trials
from grader.challenge import Challenge, load_challenges
from grader.manifest import ManifestError
from grader.proof.check import Check, Section
from grader.proof.verify import verify
from worker.repositories.confinement import confine
from worker.runner_client import RunnerClient

MEMORY_BYTES: Final = 8 << 30
FILE_BYTES: Final = 1 << 30  # what it complains, too, which is a file
MUTANTS_TOLD: Final = 2
# Where an author looks first, for what is not told with a place of its own.
_FILES: Final = {
    Section.REFERENCE: "reference.py",
    Section.STARTER: "starter/",
    Section.ACCEPTED: "accepted/{name}.py",
    Section.TIME: "accepted/",
    Section.MISCONCEPTION: "misconceptions/{name}.py",
    Section.FAMILIES: "cases.py",
    Section.COVERAGE: "space.py",
    Section.MUTANTS: "reference.py",
    Section.CHEAT: "cheats/{name}.py",
    Section.FORGEABLE: "tests/{name}.py",
    Section.QUESTIONS: "questions.toml",
    Section.HUNT: "hunt/bugs.toml",
    Section.SECRETS: "spec.md",
}


def problems_in(challenges: Sequence[Challenge], sandbox: RunnerClient, *, is_whole: bool) -> Iterator[str]:
    """The first problem of each exercise, as a sentence that names its file. Where `is_whole`, all of them, and few of
    the mutants that survive: `assay challenge verify` lists those.

    Prints each exercise's name before it is verified.
    """
    trials = partial(bounded_trials, method="fork")  # confined, it can start no program
    for challenge in challenges:
        print(challenge.slug, flush=True)
        failed = (check for check in verify(challenge, sandbox, trials) if not check.holds)
        if is_whole:
            yield from (_sentence(challenge.slug, _with_few_mutants(check)) for check in failed)
        else:
            yield from (_sentence(challenge.slug, check) for check in islice(failed, 1))


def _with_few_mutants(check: Check) -> Check:
    untold = len(check.problems) - MUTANTS_TOLD
    if check.section is not Section.MUTANTS or untold <= 0:
        return check
    return replace(check, problems=(*check.problems[:MUTANTS_TOLD], f"and {untold} more"))


def _sentence(slug: str, check: Check) -> str:
    """What is told of a whole folder names files itself."""
    file = _FILES.get(check.section, "").format(name=check.name)
    detail = check.detail.partition("\n")[0]
    if file and f"{slug}/{file}" in detail:
        return detail  # which says by itself where it is
    return f"{slug}/{file}: {detail}" if file else f"{slug}: {detail}"


def main(folder: str, socket: str, scratch: str, problem: str, *names: str) -> None:
    """Prints the problems as JSON, in the last line: none where everything holds, the `first` of each exercise or the
    `whole` of them; of the exercises of these names, of all without.
    """
    torch.set_num_threads(1)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    os.chdir(scratch)
    packages = (str(Path(package.__file__).parent) for package in (assay, grader, worker) if package.__file__)
    confine(readable=(folder, sys.prefix, sys.base_prefix, *packages), writable=scratch)
    try:
        challenges = [each for name, each in load_challenges(Path(folder)).items() if not names or name in names]
        problems = list(problems_in(challenges, RunnerClient(Path(socket)), is_whole=problem == "whole"))
    except ManifestError as error:
        problems = [str(error)]
    json.dump([problem.replace(f"{folder}/", "") for problem in problems], sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
