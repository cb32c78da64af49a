"""Do the rules about how the code is written hold? Decided by what the code was seen to do; the source gives the
line.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.guest.execution import Call, CallStatus, Outcome, Trace
from grader.guest.inspection import FindingKind, Inspection
from grader.manifest import Forbidden, Manifest, Rule, SourceSection
from grader.paper.case import StructureCall
from grader.report import RuleFinding, RuleStatus, TestResult, TestStatus

# In an exercise over another library, torch is there for the judge alone: what it computes comes from a library.
TORCH = "torch"
HANDING_OVER = frozenset(
    {
        *("tensor", "detach", "clone", "numpy", "__get__", "from_numpy", "to"),
        *("aten.lift_fresh", "aten.detach", "aten.clone", "aten.alias", "aten._to_copy", "aten.copy_"),
    }
)
OUT_OF_SIGHT = (
    "Part of the work is done by {}, where it cannot be traced, so this rule cannot "
    "be judged. Use torch's own operations on plain tensors."
)
UNWATCHED = "Your function passed every test but gave no result while it was traced for this rule."


@dataclass(frozen=True)
class Watched:
    """A call that was traced fully, and what came of it."""

    asked: StructureCall
    outcome: Outcome

    @property
    def call(self) -> Call:
        """What was called."""
        return self.asked.call

    @property
    def trace(self) -> Trace | None:
        """What it was seen to do; nothing where it raised."""
        return self.outcome.trace


def judge_rules(
    manifest: Manifest,
    inspection: Inspection,
    watched: Sequence[Watched],
    paper: Sequence[Outcome],
    tests: Sequence[TestResult],
) -> tuple[RuleFinding, ...]:
    """One finding for each rule of the manifest that could be judged: a call that raised shows nothing.

    `paper` is what came of the paper's calls, which are traced lightly: no kind of call is out of sight.
    """
    judge = _Judge(manifest, inspection, watched, paper, tests)
    if judge.is_right and judge.shows_too_little:
        return tuple(_unwatched(manifest))
    return tuple(finding for name in manifest.rules if (finding := judge.finding(name)) is not None)


@dataclass(frozen=True)
class _Judge:
    """What is known of one submission."""

    manifest: Manifest
    inspection: Inspection
    watched: Sequence[Watched]
    paper: Sequence[Outcome]
    tests: Sequence[TestResult]

    @property
    def is_right(self) -> bool:
        """In all that is required."""
        return all(test.status is TestStatus.PASSED for test in self.tests if self.manifest.requires(test))

    @property
    def shows_too_little(self) -> bool:
        """Whether a call that rules speak of gave nothing while it was traced. Whoever chooses which, could hide in
        them what the others do not show. Where time ran out before, the verdict says so.
        """
        if watched_main(self.manifest, self.watched) is None:
            return True
        asked = {self.manifest.source.main, *(rule.part for rule in self.manifest.rules.values())}
        made = [one for one in self.watched if one.outcome.status is not CallStatus.NOT_RUN]
        return any(one.call.function in asked and one.trace is None for one in made)

    def finding(self, name: str) -> RuleFinding | None:
        rule = self.manifest.rules[name]
        is_broken, hidden = self._is_broken(rule), self._out_of_sight()
        if is_broken is None:
            return None
        if rule.forbids is not None and hidden is not None:
            return self._failed(name, OUT_OF_SIGHT.format(hidden))
        if is_broken:
            return self._failed(name, rule.message)
        return RuleFinding(rule=name, status=RuleStatus.PASSED, message=rule.title)

    def _failed(self, name: str, message: str) -> RuleFinding:
        places = {_rule_against(self.manifest, found.kind): found.place for found in self.inspection.findings}
        place = places.get(name, self.inspection.places.get(self.manifest.source.main))
        line, file = (None, None) if place is None else (place.line, place.file)
        return RuleFinding(rule=name, status=RuleStatus.FAILED, line=line, file=file, message=message)

    def _is_broken(self, rule: Rule) -> bool | None:
        """None where nothing tells."""
        if rule.forbids is Forbidden.LOOP:
            return self._loops()
        if rule.forbids is Forbidden.LIBRARY:
            return self._takes_the_library()
        if rule.part is not None:
            return self._leaves_out(rule.part)
        asked = [test for test in self.tests if test.id in rule.cases and test.status is not TestStatus.SKIPPED]
        return any(test.status is not TestStatus.PASSED for test in asked) if asked else None

    def _loops(self) -> bool | None:
        kinds = [counts for counts in _operations_by_kind(self.watched) if len(counts) > 1]
        telling = [counts for counts in kinds if self.is_right or _tells(counts)]
        return any(map(_grows_with_heads, telling)) if telling else None

    def _takes_the_library(self) -> bool | None:
        if ran_library(self.manifest.source, *self._traces()):
            return True
        main = watched_main(self.manifest, self.watched)
        is_watched = main is not None and main.trace is not None
        is_hidden = any(one.status is CallStatus.RETURNED and one.trace is None for one in self.paper)
        kinds = {found.kind for found in self.inspection.findings}
        if (is_hidden or not is_watched or FindingKind.SCRIPT in kinds) and FindingKind.LIBRARY in kinds:
            # Some of the library cannot be watched: it raises, or a script makes operations of it. The source decides.
            return True
        return False if is_watched else None

    def _leaves_out(self, part: str) -> bool | None:
        main = watched_main(self.manifest, self.watched)
        if main is None or main.trace is None or part not in (parts := _parts(self.watched)):
            return None
        return not _uses_part(part, main.trace, parts, self.inspection, self.manifest)

    def _out_of_sight(self) -> str | None:
        """What watching cannot see through: what was seen is not all that was done."""
        return min((name for trace in self._traces() for name in trace.unseen), default=None)

    def _traces(self) -> Iterator[Trace]:
        for outcome in (*(watched.outcome for watched in self.watched), *self.paper):
            if outcome.trace is not None:
                yield outcome.trace


def watched_main(manifest: Manifest, watched: Sequence[Watched]) -> Watched | None:
    """The plain call of the main entry point, with the most heads where there are heads."""
    found = [one for one in watched if one.call.function == manifest.source.main and not one.asked.kind]
    return max(found, key=lambda one: one.asked.heads or 0, default=None)


def most_heads(watched: Sequence[Watched]) -> list[Watched]:
    """Of each kind of watched call, the one with the most heads."""
    with_heads = [one for one in watched if one.asked.heads is not None]
    with_heads.sort(key=lambda one: one.asked.heads or 0)
    return list({one.asked.kind: one for one in with_heads}.values())


def operations_by_heads(watched: Sequence[Watched]) -> dict[str, int]:
    """Dispatched operations with the fewest and with the most heads, for the report."""
    plain = {one.asked.heads: one for one in watched if one.asked.heads is not None and not one.asked.kind}
    ends = {heads: plain[heads].trace for heads in (min(plain), max(plain))} if plain else {}
    return {str(heads): seen.operations for heads, seen in ends.items() if seen is not None}


def _rule_against(manifest: Manifest, kind: FindingKind) -> str | None:
    """The exercise's rule that a finding of this kind speaks against, if there is one."""
    match kind:
        case FindingKind.LOOP:
            return manifest.rule_that_forbids(Forbidden.LOOP)
        case FindingKind.LIBRARY:
            return manifest.rule_that_forbids(Forbidden.LIBRARY)
        case FindingKind.SCRIPT | FindingKind.INTROSPECTION:
            return None


def _unwatched(manifest: Manifest) -> Iterator[RuleFinding]:
    """Right when it is not watched, and raising or out of time when it is: nothing about how it works may be taken on
    trust.
    """
    for name, rule in manifest.rules.items():
        if rule.cases:
            yield RuleFinding(rule=name, status=RuleStatus.PASSED, message=rule.title)
        else:
            yield RuleFinding(rule=name, status=RuleStatus.FAILED, message=UNWATCHED)


def _operations_by_kind(watched: Sequence[Watched]) -> Iterator[dict[int, int]]:
    """For calls that differ by nothing but the number of heads, of the same width: operations by that number."""
    kinds = defaultdict[str, dict[int, int]](dict)
    for one in watched:
        if one.asked.heads is not None and one.trace is not None:
            kinds[one.asked.kind][one.asked.heads] = one.trace.operations
    yield from kinds.values()


def _parts(watched: Sequence[Watched]) -> dict[str, Trace]:
    """What was seen of each part alone, by its name."""
    alone = (one for one in watched if one.asked.heads is None)
    return {one.call.function: one.trace for one in alone if one.trace is not None}


def _tells(operations: Mapping[int, int]) -> bool:
    """Whether there is more to compare with than a single head, where the other calls raised. What passes every test
    gets no such benefit: it may raise because it is watched.
    """
    return any(heads > 1 for heads in sorted(operations)[:-1])


def _grows_with_heads(operations: Mapping[int, int]) -> bool:
    """One operation more for each further head is a loop. More than one number of fewer heads tells it from a way of
    its own for a single head.
    """
    most = max(operations)
    return all(operations[most] - count >= most - heads for heads, count in operations.items() if heads < most)


def ran_library(source: SourceSection, *seen: Trace) -> bool:
    """Whether something that the exercise forbids ran, or torch where the exercise is over another library."""
    libraries = (*source.forbidden_calls, *source.forbidden_kernels)
    return _ran_any(libraries, *seen) or (TORCH not in source.modules and _ran_torch(*seen))


def _ran_any(libraries: Sequence[str], *seen: Trace) -> bool:
    """A name within another counts: `rms_norm` also runs as `aten._fused_rms_norm`."""
    names = frozenset[str]().union(*(one.torch_functions | one.kernels for one in seen))  # hundreds saw the same
    return any(library in name for name in names for library in libraries)


def _ran_torch(*seen: Trace) -> bool:
    """Whether torch computed anything: more than it takes to hand the judge's numbers over and back."""
    return any((one.kernels or one.torch_functions) - HANDING_OVER for one in seen)


def _uses_part(part: str, main: Trace, parts: Mapping[str, Trace], inspection: Inspection, manifest: Manifest) -> bool:
    """Something that gives this part's result, and runs for no other part, also runs in the main function.

    Sharing such a helper under both is using one's own part. Where the part is no Python function of the student's (a
    scripted one, say), nothing can be seen, and the source is asked. Whether its result matters: `rules.scrutiny`.
    """
    alone = _alone(part, parts, manifest)
    if not alone:
        return part in inspection.reachable.get(manifest.source.main, ())
    return bool(alone & main.own_functions)


def _alone(part: str, parts: Mapping[str, Trace], manifest: Manifest) -> frozenset[str]:
    """The student's functions that run for this part and for no other, and give what it gives.

    A softmax that the part is built on is not the part.
    """
    others = [entry.name for entry in manifest.entry_points if entry.name not in (part, manifest.source.main)]
    ran = parts[part].own_functions.difference(*(parts[name].own_functions for name in others if name in parts))
    return ran & parts[part].yielding or ran


def shared_with_main(part: str, manifest: Manifest, watched: Sequence[Watched]) -> frozenset[str]:
    """What of a part was seen to run in the main function too."""
    main, parts = watched_main(manifest, watched), _parts(watched)
    if main is None or main.trace is None or part not in parts:
        return frozenset()
    return _alone(part, parts, manifest) & main.trace.own_functions
