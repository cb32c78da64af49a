"""Do the rules about how the code is written hold? Decided by what the code was seen to do; the source gives the
line.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from grader.execution import Call, CallStatus, Observation, Outcome
from grader.inspection import Inspection, Place, Suspicion
from grader.manifest import Manifest
from grader.report import RuleFinding, RuleStatus, TestResult, TestStatus
from grader.structure import NO_LIBRARY, NO_LOOP, SCRIPTED

FEW_HEADS, MANY_HEADS = "heads-1", "heads-16"
HEADS_WATCHED = re.compile(r"heads-(\d+)(?:/(.+))?")
DIVISIBILITY = "divisibility-checked"
# `_safe_softmax` is what the library's attention is made of where it runs no kernel of its own.
LIBRARY_KERNELS = ("scaled_dot_product", "multi_head_attention", "flex_attention", "_safe_softmax")
OUT_OF_SIGHT = (
    "Part of the work is done out of sight, by {}, so this rule cannot be judged. "
    "Use torch's own operations on plain tensors."
)


def judge_rules(
    manifest: Manifest,
    inspection: Inspection,
    watched: Mapping[str, Outcome],
    paper: Sequence[Outcome],
    tests: tuple[TestResult, ...],
) -> tuple[RuleFinding, ...]:
    """One finding for each rule of the manifest that could be judged: a call that raised shows nothing.

    `paper` is what came of the paper's calls, which are glanced at: no kind of call is out of sight.
    """
    seen = {name: outcome.observation for name, outcome in watched.items() if outcome.observation is not None}
    watched_main = _watched_main(manifest, seen)
    broken = dict(_broken(manifest, inspection, seen, paper, tests))
    messages = {name: rule.message for name, rule in manifest.rules.items()} | dict(_unseen(manifest, seen, paper))
    if watched_main is None and _is_right(manifest, tests):
        return tuple(_unwatched(manifest))
    places = {_rule_named(manifest, suspicion): suspicion.place for suspicion in inspection.suspicions}
    main_place = inspection.places.get(manifest.source.main)
    return tuple(
        _failed(name, messages[name], places.get(name, main_place))
        if broken[name] or messages[name] != rule.message
        else RuleFinding(rule=name, status=RuleStatus.PASSED, message=rule.title)
        for name, rule in manifest.rules.items()
        if name in broken
    )


def _is_right(manifest: Manifest, tests: Sequence[TestResult]) -> bool:
    """In all that is required."""
    return all(test.status is TestStatus.PASSED for test in tests if manifest.requires(test))


def _failed(rule: str, message: str, place: Place | None) -> RuleFinding:
    line, file = (None, None) if place is None else (place.line, place.file)
    return RuleFinding(rule=rule, status=RuleStatus.FAILED, line=line, file=file, message=message)


def _unseen(manifest: Manifest, seen: Mapping[str, Observation], paper: Sequence[Outcome]) -> Iterator[tuple[str, str]]:
    """Rules that watching cannot decide, and why: what was seen is not all that was done."""
    glances = [outcome.observation for outcome in paper if outcome.observation is not None]
    hidden = frozenset[str]().union(*(observation.unseen for observation in (*seen.values(), *glances)))
    if hidden:
        yield from dict.fromkeys((NO_LOOP, manifest.library_rule), OUT_OF_SIGHT.format(min(hidden))).items()


def _watched_main(manifest: Manifest, seen: Mapping[str, Observation]) -> Observation | None:
    """The watched call of the main entry point: with many heads, or in an exercise without heads under its name."""
    return seen.get(MANY_HEADS, seen.get(manifest.source.main))


def main_call(manifest: Manifest, calls: Sequence[Call]) -> Call | None:
    """That call, before it is made."""
    by_id = {call.id: call for call in calls}
    return by_id.get(MANY_HEADS, by_id.get(manifest.source.main))


def most_heads(calls: Sequence[Call]) -> list[Call]:
    """Of each kind of watched call, the one with the most heads."""
    found = [(named, call) for call in calls if (named := HEADS_WATCHED.fullmatch(call.id))]
    found.sort(key=lambda one: int(one[0][1]))
    return list({named[2]: call for named, call in found}.values())


def _rule_named(manifest: Manifest, suspicion: Suspicion) -> str:
    """The reader of the source calls every rule about libraries alike; the exercise has its own name for it."""
    return manifest.library_rule if suspicion.rule == NO_LIBRARY else suspicion.rule


def _unwatched(manifest: Manifest) -> Iterator[RuleFinding]:
    """Right when it is not watched, and raising or out of time when it is: nothing about how it works may be taken on
    trust.
    """
    message = "Your function passed every test, and brought no result while it was watched for this rule."
    for name in manifest.rules:
        if name == DIVISIBILITY:
            yield RuleFinding(rule=name, status=RuleStatus.PASSED, message=manifest.rules[name].title)
        else:
            yield RuleFinding(rule=name, status=RuleStatus.FAILED, message=message)


def operations_by_heads(watched: Mapping[str, Outcome]) -> dict[str, int]:
    """Dispatched operations by number of heads, for the report."""
    return {
        name.removeprefix("heads-"): outcome.observation.operations
        for name, outcome in watched.items()
        if name in (FEW_HEADS, MANY_HEADS) and outcome.observation is not None
    }


def _broken(
    manifest: Manifest,
    inspection: Inspection,
    seen: Mapping[str, Observation],
    paper: Sequence[Outcome],
    tests: tuple[TestResult, ...],
) -> Iterator[tuple[str, bool]]:
    is_right = _is_right(manifest, tests)
    by_kind = [counts for counts in _operations_by_kind(seen) if len(counts) > 1 and (is_right or _tells(counts))]
    if by_kind:
        yield NO_LOOP, any(map(_grows_with_heads, by_kind))
    main = _watched_main(manifest, seen)
    all_seen = [*seen.values(), *(outcome.observation for outcome in paper if outcome.observation is not None)]
    suspected = {suspicion.rule for suspicion in inspection.suspicions}
    hidden = any(outcome.status is CallStatus.RETURNED and outcome.observation is None for outcome in paper)
    if any(_uses_library(observation, manifest.source.forbidden_calls) for observation in all_seen):
        yield manifest.library_rule, True
    elif (hidden or main is None or SCRIPTED in suspected) and NO_LIBRARY in suspected:
        # Some of the library cannot be watched: it raises, or a script makes operations of it. The source decides then.
        yield manifest.library_rule, True
    elif main is not None:
        yield manifest.library_rule, False
    if main is not None:
        for name, rule in manifest.rules.items():
            if rule.part is not None and rule.part in seen:
                yield name, not _uses_part(rule.part, main, seen, inspection, manifest)
    refusals = [test for test in tests if "/indivisible" in test.id and test.status is not TestStatus.SKIPPED]
    if refusals:
        yield DIVISIBILITY, any(test.status is not TestStatus.PASSED for test in refusals)


def _operations_by_kind(seen: Mapping[str, Observation]) -> Iterator[dict[int, int]]:
    """For calls that differ by nothing but the number of heads, of the same width: operations by that number."""
    kinds = defaultdict[str | None, dict[int, int]](dict)
    for name, observation in seen.items():
        if found := HEADS_WATCHED.fullmatch(name):
            kinds[found[2]][int(found[1])] = observation.operations
    yield from kinds.values()


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


def _uses_library(seen: Observation, forbidden: tuple[str, ...]) -> bool:
    """A name within another counts: `rms_norm` also runs as `aten._fused_rms_norm`."""
    libraries = (*forbidden, *LIBRARY_KERNELS)
    return any(library in ran for ran in seen.torch_functions | seen.kernels for library in libraries)


def _uses_part(
    part: str, main: Observation, seen: Mapping[str, Observation], inspection: Inspection, manifest: Manifest
) -> bool:
    """Something that gives this part's result, and runs for no other part, also runs in the main function.

    Sharing such a helper under both is using one's own part. Where the part is no Python function of the student's (a
    scripted one, say), nothing can be seen, and the source is asked. Whether the result matters: `grader.scrutiny`.
    """
    alone = _alone(part, seen, manifest)
    if not alone:
        return part in inspection.reachable.get(manifest.source.main, ())
    return bool(alone & main.own_functions)


def _alone(part: str, seen: Mapping[str, Observation], manifest: Manifest) -> frozenset[str]:
    """The student's functions that run for this part and for no other, and give what it gives.

    A softmax that the part is built on is not the part.
    """
    others = [entry.name for entry in manifest.entry_points if entry.name not in (part, manifest.source.main)]
    ran = seen[part].own_functions.difference(*(seen[name].own_functions for name in others if name in seen))
    return ran & seen[part].yielding or ran


def shared_with_main(part: str, manifest: Manifest, watched: Mapping[str, Outcome]) -> frozenset[str]:
    """What of a part was seen to run in the main function too."""
    seen = {name: outcome.observation for name, outcome in watched.items() if outcome.observation is not None}
    main = _watched_main(manifest, seen)
    return frozenset() if main is None or part not in seen else _alone(part, seen, manifest) & main.own_functions
