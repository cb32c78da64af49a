"""Do the rules about how the code is written hold? Decided by what the code was seen to do; the source gives the
line.
"""

from collections.abc import Iterator, Mapping

from grader.execution import Observation, Outcome
from grader.inspection import Inspection
from grader.manifest import Manifest
from grader.report import RuleFinding, RuleStatus, TestResult, TestStatus
from grader.structure import NO_LIBRARY, NO_LOOP

FEW_HEADS, MANY_HEADS = "heads-1", "heads-16"
EXTRA_HEADS = 15
DIVISIBILITY = "divisibility-checked"
LIBRARY_KERNELS = ("scaled_dot_product", "multi_head_attention", "flex_attention")


def judge_rules(
    manifest: Manifest, inspection: Inspection, watched: Mapping[str, Outcome], tests: tuple[TestResult, ...]
) -> tuple[RuleFinding, ...]:
    """One finding for each rule of the manifest that could be judged: a call that raised shows nothing."""
    seen = {name: outcome.observation for name, outcome in watched.items() if outcome.observation is not None}
    broken = dict(_broken(manifest, inspection, seen, tests))
    if MANY_HEADS not in seen and all(test.status is TestStatus.PASSED for test in tests):
        return tuple(_unwatched(manifest))
    lines = {suspicion.rule: suspicion.line for suspicion in inspection.suspicions}
    main_line = inspection.lines.get(manifest.source.main)
    return tuple(
        RuleFinding(rule=name, status=RuleStatus.FAILED, line=lines.get(name, main_line), message=rule.message)
        if broken[name]
        else RuleFinding(rule=name, status=RuleStatus.PASSED, message=rule.title)
        for name, rule in manifest.rules.items()
        if name in broken
    )


def _unwatched(manifest: Manifest) -> Iterator[RuleFinding]:
    """Right when it is not watched, and raising when it is: nothing about how it works may be taken on trust."""
    message = "Your function passed every test, and raised an exception while it was watched for this rule."
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
        if name.startswith("heads-") and outcome.observation is not None
    }


def _broken(
    manifest: Manifest, inspection: Inspection, seen: Mapping[str, Observation], tests: tuple[TestResult, ...]
) -> Iterator[tuple[str, bool]]:
    if FEW_HEADS in seen and MANY_HEADS in seen:
        # The same width of a head in both: one operation more for each further head is a loop.
        yield NO_LOOP, seen[MANY_HEADS].operations - seen[FEW_HEADS].operations >= EXTRA_HEADS
    if any(_uses_library(observation, manifest.source.forbidden_calls) for observation in seen.values()):
        yield NO_LIBRARY, True
    elif MANY_HEADS in seen:
        yield NO_LIBRARY, False
    elif any(suspicion.rule == NO_LIBRARY for suspicion in inspection.suspicions):
        # Some library attention cannot be watched: it raises. Then the source decides.
        yield NO_LIBRARY, True
    if MANY_HEADS in seen:
        for name, rule in manifest.rules.items():
            if rule.part is not None and rule.part in seen:
                yield name, not _uses_part(rule.part, seen, inspection, manifest)
    for test in tests:
        if test.id.endswith("/indivisible") and test.status is not TestStatus.SKIPPED:
            yield DIVISIBILITY, test.status is not TestStatus.PASSED


def _uses_library(seen: Observation, forbidden: tuple[str, ...]) -> bool:
    return bool(seen.torch_functions & set(forbidden)) or any(
        library in kernel for kernel in seen.kernels for library in LIBRARY_KERNELS
    )


def _uses_part(part: str, seen: Mapping[str, Observation], inspection: Inspection, manifest: Manifest) -> bool:
    """Something that runs for this part alone, and for no other part, also runs in the main function.

    Sharing a helper under both is using one's own part. Where the part is no Python function of the student's (a
    scripted
    one, say), nothing can be seen, and the source is asked.
    """
    others = [entry.name for entry in manifest.entry_points if entry.name not in (part, manifest.source.main)]
    alone = seen[part].own_functions.difference(*(seen[name].own_functions for name in others if name in seen))
    if not alone:
        return part in inspection.reachable.get(manifest.source.main, ())
    return bool(alone & seen[MANY_HEADS].own_functions)
