"""A closer look at a submission whose numbers are right: is what was seen of it what it does?

Whoever gives other results while watched, or asks who is watching, could work in a forbidden way the rest of the time.
And a part that is called, but whose result is thrown away, is not used: the main function runs once more while what the
part returns is altered, and an output that stays as it was does not depend on it. Where values left torch, as for
NumPy, they are altered in the same way: an output that stays as it was does not depend on what was done with them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from grader.comparison.shown import is_roughly_alike
from grader.exercise import Exercise, in_float64
from grader.guest.closeness import roughly_equal
from grader.guest.execution import UNTRACED, Call, CallStatus, GradMode, Outcome, Session, Tracing
from grader.guest.inspection import FindingKind, Inspection, Place
from grader.inprocess import outcomes_of
from grader.manifest import Forbidden
from grader.report import RuleFinding, RuleStatus
from grader.rules.judging import Watched, most_heads, shared_with_main, watched_main
from grader.rules.twins import Twins

DIFFERS = "Your function passed every test but gave a different result while it was traced for this rule."
ASKS_WHO_WATCHES = (
    "Your code inspects tracing or goes around it, so this rule cannot be judged. Remove that, and it can be."
)
DISCARDED = "It is called, but its result makes no difference to the output, or is only what it was given."
BYPASSED = "Some calls do not use it."
TAKEN_OUT = (
    "Values leave torch, and the output depends on what happens to them there, which cannot be traced. So this rule "
    "cannot be judged. Use torch's own operations."
)
UNSEEN = "Your code stopped or behaved differently while it was traced for this rule."


@dataclass(frozen=True)
class Scrutiny:
    """One submission, with the calls that were watched."""

    exercise: Exercise
    session: Session
    inspection: Inspection
    watched: Sequence[Watched]
    twins: Twins

    def revised(self, rules: tuple[RuleFinding, ...]) -> tuple[RuleFinding, ...]:
        """The findings, where those that hold only on the face of it are broken."""
        manifest = self.exercise.challenge.manifest
        main = self.inspection.places.get(manifest.source.main)
        asks = next((found for found in self.inspection.findings if found.kind is FindingKind.INTROSPECTION), None)
        if asks is not None:
            return tuple(self._broken(finding, ASKS_WHO_WATCHES, asks.place) for finding in rules)
        pairs = self._pairs()
        outcomes = self.session.calls([call for pair in pairs for call in (pair.before, pair.altered)])
        differs = self._differs_when_watched()  # while the sandbox is at those calls
        unused = dict(_discarded(pairs, list(outcomes))) | dict.fromkeys(self._bypassed(), BYPASSED)
        if differs:
            return tuple(self._broken(finding, DIFFERS, main) for finding in rules)
        loop = manifest.rule_that_forbids(Forbidden.LOOP)
        is_kept = any(each.rule == loop and each.status is RuleStatus.PASSED for each in rules)
        if loop is not None and is_kept and (said := self._said_of_loops(manifest.rules[loop].message)):
            rules = tuple(self._broken(each, said, main) if each.rule == loop else each for each in rules)
        return tuple(
            self._broken(finding, f"{manifest.rules[finding.rule].message} {unused[finding.rule]}", main)
            if finding.rule in unused
            else finding
            for finding in rules
        )

    def _differs_when_watched(self) -> bool:
        returned = [one for one in self.watched if one.outcome.status is CallStatus.RETURNED]
        unwatched = [in_float64(replace(one.call, tracing=UNTRACED)) for one in returned]
        expected = outcomes_of(self.exercise.program_with(), unwatched)
        return not all(_is_same(right, one.outcome) for right, one in zip(expected, returned, strict=True))

    def _said_of_loops(self, broken: str) -> str | None:
        if self._works_outside():
            return TAKEN_OUT
        shown = self.twins.shows_loop(self.session)
        return UNSEEN if shown is None else broken if shown else None

    def _works_outside(self) -> bool:
        """With few heads, tables of angles are as large as the result."""
        taken = [one for one in most_heads(self.watched) if one.trace is not None and one.trace.taken_out]
        outcomes = self.session.calls([replace(one.call, tracing=Tracing(alters_taken_out=True)) for one in taken])
        return not all(_is_same(one.outcome, altered) for one, altered in zip(taken, outcomes, strict=True))

    def _pairs(self) -> list["_Pair"]:
        """Rules, and calls in which the rule's functions are altered, each after one that shows what was before: a
        cache may keep what was altered.
        """
        manifest = self.exercise.challenge.manifest
        altered = {
            # The part itself where it is called: what a helper gives may be a view of what main goes on with.
            rule: tuple(sorted(functions & {manifest.rules[rule].part} or functions))
            for rule, functions in self._functions_by_rule().items()
        }
        tensors = {one.call.function for one in self.watched if one.outcome.outputs}  # what these give
        return [
            _Pair(rule, one, functions, gives_tensors=tensors.issuperset(functions))
            for one in self._main_calls()
            for rule, functions in altered.items()
        ]

    def _bypassed(self) -> Iterator[str]:
        """A part that serves only some kinds of call is not what the main function is made of."""
        main = self.exercise.challenge.manifest.source.main
        seen = [one.trace for one in self.watched if one.call.function == main]
        for rule, functions in self._functions_by_rule().items():
            if any(trace is not None and not functions & trace.own_functions for trace in seen):
                yield rule

    def _main_calls(self) -> Iterator[Watched]:
        """The watched call of the main function, one that asks for gradients, and one of each grad mode, where there
        are such.
        """
        manifest = self.exercise.challenge.manifest
        main = watched_main(manifest, self.watched)
        others = {
            (bool(one.call.differentiate), one.call.grad_mode): one
            for one in reversed(self.watched)
            if one.call.function == manifest.source.main and not _is_plain(one.call)
        }
        yield from (one for one in (main, *others.values()) if one is not None)

    def _broken(self, finding: RuleFinding, message: str, place: Place | None) -> RuleFinding:
        """A rule about cases is judged by them, and one that is broken already has its reason."""
        is_by_cases = bool(self.exercise.challenge.manifest.rules[finding.rule].cases)
        if is_by_cases or finding.status is RuleStatus.FAILED:
            return finding
        line, file = (None, None) if place is None else (place.line, place.file)
        return finding.model_copy(update={"status": RuleStatus.FAILED, "message": message, "line": line, "file": file})

    def _functions_by_rule(self) -> dict[str, frozenset[str]]:
        manifest = self.exercise.challenge.manifest
        parts = {name: rule.part for name, rule in manifest.rules.items() if rule.part is not None}
        shared = {name: shared_with_main(part, manifest, self.watched) for name, part in parts.items()}
        return {name: functions for name, functions in shared.items() if functions}


@dataclass(frozen=True)
class _Pair:
    """A call that is made twice, the second time while what these functions give is altered, for one rule. What gives
    tensors when it is called alone, and none here, is called for show.
    """

    rule: str
    watched: Watched
    functions: tuple[str, ...]
    gives_tensors: bool

    @property
    def before(self) -> Call:
        return replace(self.watched.call, tracing=UNTRACED)

    @property
    def altered(self) -> Call:
        return replace(self.watched.call, tracing=Tracing(altered=self.functions))


def _discarded(pairs: Sequence[_Pair], outcomes: Sequence[Outcome]) -> Iterator[tuple[str, str]]:
    """Rules, and why they do not hold."""
    for pair, before, after in zip(pairs, outcomes[::2], outcomes[1::2], strict=True):
        seen = after.trace
        if not _is_same(pair.watched.outcome, before) or _is_unseen(after):
            yield pair.rule, UNSEEN
        elif seen is not None and (seen.altered or pair.gives_tensors) and _is_same(before, after):
            yield pair.rule, DISCARDED


def _is_plain(call: Call) -> bool:
    return not call.differentiate and call.grad_mode is GradMode.DEFAULT


def _is_unseen(altered: Outcome) -> bool:
    """What is altered may well raise; it does not end the process."""
    return altered.status is CallStatus.NOT_RUN or (altered.status is CallStatus.RETURNED and altered.trace is None)


def _is_same(first: Outcome, second: Outcome) -> bool:
    return (
        first.status is second.status is CallStatus.RETURNED
        and len(first.outputs) == len(second.outputs)
        and all(map(roughly_equal, second.outputs, first.outputs))
        and is_roughly_alike(first, second)
    )
