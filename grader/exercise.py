"""The secret part of a challenge: reference, cases, misconceptions. Read in the judge only, never in a sandbox."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from inspect import signature
from itertools import takewhile
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

from grader.challenge import Challenge
from grader.guest.execution import FULLY, Call, Gives, GradMode, Outcome
from grader.guest.loading import Program, load_harness, serve_support
from grader.guest.submission import Submission
from grader.inprocess import module_of_files, outcomes_of, trusted_module
from grader.manifest import ManifestError
from grader.misconception import Misconception, misconceptions_in
from grader.paper.case import Case, StructureCall
from grader.paper.combinations import FAMILY as COMBINATIONS
from grader.paper.combinations import Choice, Space, read
from grader.paper.draw import Draw, Generator, Paper, RoundDraw, draw_paper
from grader.paper.in_float64 import with_values_in_float64
from grader.reached_steps import Reach


@dataclass(frozen=True)
class Variant:
    """A whole submission that ships with the challenge: accepted, or a cheat."""

    name: str
    submission: Submission


@dataclass(frozen=True, eq=False)
class Exercise:
    """A challenge with its secret part. Get it from `exercise_of`, which reads the folder once."""

    challenge: Challenge

    @cached_property
    def reference_source(self) -> bytes:
        """One module; where the challenge extends another, its own steps redefine those before them."""
        return b"\n\n".join(path.read_bytes() for path in self._modules("reference"))

    @cached_property
    def reference(self) -> ModuleType:
        """The reference as a module, which every `Draw` of `cases.py` holds."""
        return self.program_with().module

    @cached_property
    def _harness(self) -> ModuleType | None:
        serve_support(self.challenge.support)
        return load_harness(self.challenge.support)

    @cached_property
    def cases(self) -> ModuleType:
        """The cases, then what calls can vary in."""
        return module_of_files([*self._modules("cases"), *self.challenge.modules("space")])

    @property
    def has_harness(self) -> bool:
        """Whether entry points are called through functions of the exercise's own."""
        return self._harness is not None

    def _modules(self, name: str) -> list[Path]:
        paths = list(self.challenge.modules(name))
        if not paths:
            raise ManifestError(f"{self.challenge.folder / name}.py is missing")
        return paths

    @cached_property
    def shown_in(self) -> defaultdict[tuple[Misconception, ...], set[str]]:
        """Ids of cases that showed these mistakes in earlier papers."""
        return defaultdict(set)

    @property
    def spaces(self) -> Mapping[str, Space]:
        """The calls that the spec allows, by function; empty where the challenge has no `space.py`."""
        spaces: dict[str, Space] = getattr(self.cases, "SPACES", {})
        return spaces

    @cached_property
    def choices(self) -> Mapping[str, Sequence[Choice]]:
        """Choices that together have all pairs, by function: tables, as `assay challenge combine` wrote them."""
        tables = {name: self.challenge.combinations_path(name) for name in self.spaces}
        return {
            name: read(self.spaces[name], path.read_text(encoding="utf-8"), f"combinations/{path.name}")
            for name, path in tables.items()
            if path.is_file()
        }

    def combinations(self, draw: Draw) -> Iterator[Case]:
        """A family: what a call can vary in, pair by pair.

        Tables that a right answer keeps must not be born in inference mode, where nothing else has them: it comes last.
        """
        cases = [
            case
            for function, choices in self.choices.items()
            for case in self.spaces[function].cases(draw, function, choices)
        ]
        yield from sorted(cases, key=lambda case: case.call.grad_mode is GradMode.INFERENCE)

    @cached_property
    def families(self) -> dict[str, Generator]:
        """The generator of each case family, by name. Raises ManifestError where the manifest lacks one."""
        families: dict[str, Generator] = dict(self.cases.FAMILIES)
        if self.spaces:
            families[COMBINATIONS] = self.combinations
        unknown = families.keys() - self.challenge.manifest.families.keys()
        if unknown:
            raise ManifestError(f"cases.py has families that challenge.toml does not: {', '.join(sorted(unknown))}")
        return families

    def paper(self, seed: int) -> Paper:
        """All cases of the paper with this seed: the same objects when it is asked for again soon."""
        return _paper(self, seed)

    def structure_calls(self, seed: int) -> list[StructureCall]:
        """Calls that are traced fully: some numbers of heads, of several kinds, then one for each part."""
        calls: list[StructureCall] = self.cases.structure(Draw(seed, "structure", self.reference))
        return [replace(item, call=replace(item.call, id=item.name, tracing=FULLY)) for item in calls]

    def unusual_cases(self, seed: int) -> list[tuple[Case, bool]]:
        """Cases about which the exercise is silent, and whether refusing them is an answer. They earn remarks."""
        unusual = getattr(self.cases, "unusual", None)
        return [] if unusual is None else list(unusual(Draw(seed, "unusual", self.reference)))

    def workload(self, seed: int, seq: int | None = None) -> Call:
        """The call that is timed; with `seq`, the same with a sequence of another length."""
        lengths = {} if seq is None else {"seq": seq}
        call: Call = self.cases.workload(Draw(seed, "workload", self.reference), **lengths)
        return call

    @property
    def workload_seq(self) -> int | None:
        """The length of the sequence that is timed, where `workload` takes one."""
        taken = signature(self.cases.workload).parameters.get("seq")
        return None if taken is None else taken.default

    @cached_property
    def gpu_stage(self) -> ModuleType:
        """What `gpu/stage.py` declares (docs/gpu.md)."""
        return module_of_files([self.challenge.gpu_stage_path])

    def examples(self) -> tuple[Call, ...]:
        """Calls of the main function with few and plain numbers, the smallest first; they may be shown. None where
        `cases.py` has no `example`, or its call is no plain call and `EXAMPLE_CALL` does not say how it is written.
        """
        make, main = getattr(self.cases, "example", None), self.challenge.manifest.source.main
        if make is None or (hasattr(self._harness, main) and self.example_call is None):
            return ()
        calls: list[Call] = [make(RoundDraw(0, "example", self.reference), **size) for size in self.cases.EXAMPLE_SIZES]
        return tuple(replace(call, id=f"example/{number}") for number, call in enumerate(calls))

    def inputs(self, data: Mapping[str, Any], count: int) -> list[Call]:
        """Calls of the main function as a question describes them: what `example` of `cases.py` makes of it."""
        call: Call
        calls = []
        for number in range(count):
            call = self.cases.example(Draw(number, "question", self.reference), **data)
            calls.append(replace(call, id=f"input/{number}"))
        return calls

    @property
    def example_call(self) -> str | None:
        """The words for an example's call, where it is not called as a plain function."""
        return getattr(self.cases, "EXAMPLE_CALL", None)

    def expected(self, cases: Sequence[Case]) -> tuple[Outcome, ...]:
        """Returns what the reference gives, in float64: the same objects when it is asked for again soon."""
        return _expected(self, tuple(cases))

    @cached_property
    def misconceptions(self) -> tuple[Misconception, ...]:
        """The challenge's misconceptions by id, with those of the challenge that it extends, but for the ones it
        replaces or leaves out.
        """
        left_out = self.challenge.manifest.without
        paths = {
            path.stem: path
            for folder in self.challenge.folders
            for path in folder.glob("misconceptions/*.py")
            if path.stem not in left_out or folder == self.challenge.folder
        }
        found = [mistake for path in paths.values() for mistake in misconceptions_in(path)]
        return tuple(sorted(found, key=lambda mistake: mistake.name))

    def program_with(self, *misconceptions: Misconception) -> Program:
        """The reference with these mistakes made in it."""
        serve_support(self.challenge.support)  # first: it makes what the reference imports importable
        harness = self._harness
        version = f"# {self.challenge.version}".encode()  # the same source beside other libraries is another module
        sources = (version, self.reference_source, *(misconception.source for misconception in misconceptions))
        path = self.challenge.manifest.default_path
        return Program(trusted_module(path, *sources), harness, own=frozenset({path}))

    def submission_with(self, *misconceptions: Misconception) -> Submission:
        """Returns the reference with these mistakes made in it as one file, as a student would send it."""
        parts = [self.reference_source, *(misconception.source for misconception in misconceptions)]
        return self._submission(b"\n\n".join(parts))

    def variants(self, folder: str) -> tuple[Variant, ...]:
        """The submissions that ship in `accepted/` or `cheats/`."""
        paths = sorted((self.challenge.folder / folder).glob("*.py"))
        return tuple(Variant(path.stem, self._submission(path.read_bytes())) for path in paths)

    def starter(self) -> Submission:
        """What the student starts from, as a submission."""
        return self._submission(self.challenge.starter())

    def baseline(self) -> Submission:
        """The accepted variant that efficiency is measured against: never the reference, which enters no sandbox."""
        return self._submission((self.challenge.folder / self.challenge.manifest.baseline).read_bytes())

    @cached_property
    def reach(self) -> Reach:
        """Which steps of the reference its entry points reach."""
        return Reach.of(self.reference_source, self.challenge.manifest)

    def _submission(self, source: bytes) -> Submission:
        main = self.challenge.manifest.default_path
        return Submission(main=main, files={main: source}, support=self.challenge.support)


@lru_cache(maxsize=64)
def exercise_of(challenge: Challenge) -> Exercise:
    """The secret part of a loaded challenge."""
    return Exercise(challenge)


@lru_cache(maxsize=4)
def _paper(exercise: Exercise, seed: int) -> Paper:
    """Callers write calls in both ways, so every second call of each entry point is made by position."""
    parameters = {entry.name: entry.parameters for entry in exercise.challenge.manifest.entry_points}
    asked = Counter[str]()

    def by_position(call: Call) -> int:
        asked[call.function] += 1
        if asked[call.function] % 2:
            return 0
        names = zip(call.argument_names, parameters.get(call.function, ()), strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], names))

    paper = draw_paper(seed, exercise.families, exercise.reference, by_position)
    unknown = exercise.challenge.manifest.cases_of_rules - {case.id for case in paper.cases}
    if unknown:
        raise ManifestError(f"challenge.toml has rules about cases that no paper has: {', '.join(sorted(unknown))}")
    return paper


@lru_cache(maxsize=16)
def _expected(exercise: Exercise, cases: tuple[Case, ...]) -> tuple[Outcome, ...]:
    return outcomes_of(exercise.program_with(), [in_float64(case.call) for case in cases])


def in_float64(call: Call) -> Call:
    """The same call with every floating tensor in double precision."""
    if call.gives is Gives.VALUES:
        return with_values_in_float64(call)
    return replace(
        call,
        arguments={
            name: value.double() if isinstance(value, torch.Tensor) and value.is_floating_point() else value
            for name, value in call.arguments.items()
        },
        gradient=None if call.gradient is None else call.gradient.double(),
    )
