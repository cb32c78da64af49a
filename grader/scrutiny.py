"""A closer look at a submission whose numbers are right: is what was seen of it what it does?

Whoever gives other results while watched, or asks who is watching, could work in a forbidden way the rest of the time.
And a part that is called, but whose result is thrown away, is not used: the main function runs once more while what the
part returns is altered, and an output that stays as it was does not depend on it. Where values left torch, as for
NumPy, they are altered in the same way: an output that stays as it was does not depend on what was done with them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from torch import Tensor

from grader.execution import Call, CallStatus, GradMode, Outcome, Session
from grader.exercise import Exercise, in_float64
from grader.hiding import ASKS
from grader.inprocess import outcomes_of
from grader.inspection import Inspection, Place
from grader.observe import OUTSIDE
from grader.report import RuleFinding, RuleStatus
from grader.rules import DIVISIBILITY, main_call, most_heads, shared_with_main
from grader.structure import NO_LOOP

# Between one run and the next, and between float32 and float64: far more than rounding, far less than another result.
CLOSE = 1e-3
DIFFERS = "Your function passed every test, and gave another result while it was watched for this rule."
ASKS_WHO_WATCHES = (
    "Your code asks the interpreter who is watching it, or hides from it, so what it does cannot be seen. "
    "Take that out, and this rule can be judged."
)
DISCARDED = "It is called, but the output stays the same whatever it returns."
BYPASSED = "Some calls take a way without it."
TAKEN_OUT = (
    "Values leave torch, the output depends on what is done with them there, and that cannot be seen, so this rule "
    "cannot be judged. Use torch's own operations."
)
UNSEEN = "Your code did not go on when it was looked at for this rule, or did something else than before."


@dataclass(frozen=True)
class Scrutiny:
    """One submission with the calls that were watched, and what came of them."""

    exercise: Exercise
    session: Session
    inspection: Inspection
    calls: Sequence[Call]
    watched: Mapping[str, Outcome]

    def revised(self, rules: tuple[RuleFinding, ...]) -> tuple[RuleFinding, ...]:
        """The findings, where those that hold only on the face of it are broken."""
        manifest = self.exercise.challenge.manifest
        main = self.inspection.places.get(manifest.source.main)
        asks = next((suspicion for suspicion in self.inspection.suspicions if suspicion.rule == ASKS), None)
        if asks is not None:
            return tuple(_broken(finding, ASKS_WHO_WATCHES, asks.place) for finding in rules)
        pairs = self._pairs()
        outcomes = self.session.calls([call for _, before, after in pairs for call in (before, after)])
        differs = self._differs_when_watched()  # while the sandbox is at those calls
        unused = dict(_discarded(pairs, list(outcomes), self.watched)) | dict.fromkeys(self._bypassed(), BYPASSED)
        if differs:
            return tuple(_broken(finding, DIFFERS, main) for finding in rules)
        if self._works_outside():
            rules = tuple(_broken(each, TAKEN_OUT, main) if each.rule == NO_LOOP else each for each in rules)
        return tuple(
            _broken(finding, f"{manifest.rules[finding.rule].message} {unused[finding.rule]}", main)
            if finding.rule in unused
            else finding
            for finding in rules
        )

    def _differs_when_watched(self) -> bool:
        returned = [call for call in self.calls if self.watched[call.id].status is CallStatus.RETURNED]
        unwatched = [in_float64(replace(call, observe=False)) for call in returned]
        expected = outcomes_of(self.exercise.program_with(), unwatched)
        return not all(_is_same(right, self.watched[right.id]) for right in expected)

    def _works_outside(self) -> bool:
        """With few heads, tables of angles are as large as the result."""
        calls = [call for call in most_heads(self.calls) if self._takes_values_out(call)]
        outcomes = self.session.calls([replace(call, observe=False, disturb=(OUTSIDE,)) for call in calls])
        return not all(_is_same(self.watched[outcome.id], outcome) for outcome in outcomes)

    def _takes_values_out(self, call: Call) -> bool:
        seen = self.watched[call.id].observation
        return seen is not None and seen.taken_out

    def _pairs(self) -> list[tuple[str, Call, Call]]:
        """Rules, and calls in which the rule's functions are altered, each after one that shows what was before: a
        cache may keep what was altered.
        """
        manifest = self.exercise.challenge.manifest
        altered = {
            # The part itself where it is called: what a helper gives may be a view of what main goes on with.
            rule: tuple(sorted(functions & {manifest.rules[rule].part} or functions))
            for rule, functions in self._functions_by_rule().items()
        }
        calls = list(self._main_calls())
        return [(rule, call, replace(call, disturb=altered[rule])) for call in calls for rule in altered]

    def _bypassed(self) -> Iterator[str]:
        """A part that serves only some kinds of call is not what the main function is made of."""
        main = self.exercise.challenge.manifest.source.main
        seen = [self.watched[call.id].observation for call in self.calls if call.function == main]
        for rule, functions in self._functions_by_rule().items():
            if any(observation is not None and not functions & observation.own_functions for observation in seen):
                yield rule

    def _main_calls(self) -> Iterator[Call]:
        """The watched call of the main function, one that asks for gradients, and one of each grad mode, where there
        are such.
        """
        manifest = self.exercise.challenge.manifest
        main = main_call(manifest, self.calls)
        others = {
            (bool(call.differentiate), call.grad_mode): call
            for call in reversed(self.calls)
            if call.function == manifest.source.main and (call.differentiate or call.grad_mode is not GradMode.DEFAULT)
        }
        for call in [main, *others.values()]:
            if call is not None:
                yield replace(call, observe=False)

    def _functions_by_rule(self) -> dict[str, frozenset[str]]:
        manifest = self.exercise.challenge.manifest
        parts = {name: rule.part for name, rule in manifest.rules.items() if rule.part is not None}
        shared = {name: shared_with_main(part, manifest, self.watched) for name, part in parts.items()}
        return {name: functions for name, functions in shared.items() if functions}


def _discarded(
    pairs: Sequence[tuple[str, Call, Call]], outcomes: Sequence[Outcome], watched: Mapping[str, Outcome]
) -> Iterator[tuple[str, str]]:
    """Rules, and why they do not hold."""
    for (rule, call, _), before, after in zip(pairs, outcomes[::2], outcomes[1::2], strict=True):
        seen = after.observation
        if not _is_same(watched[call.id], before) or _is_unseen(after):
            yield rule, UNSEEN
        elif seen is not None and seen.disturbed and _is_same(before, after):
            yield rule, DISCARDED


def _broken(finding: RuleFinding, message: str, place: Place | None) -> RuleFinding:
    """Divisibility is judged by a test, and a rule that is broken already has its reason."""
    if finding.rule == DIVISIBILITY or finding.status is RuleStatus.FAILED:
        return finding
    line, file = (None, None) if place is None else (place.line, place.file)
    return finding.model_copy(update={"status": RuleStatus.FAILED, "message": message, "line": line, "file": file})


def _is_unseen(disturbed: Outcome) -> bool:
    """What is altered may well raise; it does not end the process."""
    return disturbed.status is CallStatus.NOT_RUN or (
        disturbed.status is CallStatus.RETURNED and disturbed.observation is None
    )


def _is_same(first: Outcome, second: Outcome) -> bool:
    return (
        first.status is second.status is CallStatus.RETURNED
        and len(first.outputs) == len(second.outputs)
        and all(map(_is_close, first.outputs, second.outputs))
    )


def _is_close(first: Tensor, second: Tensor) -> bool:
    if first.shape != second.shape:
        return False
    one, other = first.double(), second.double()
    scale = CLOSE * max(one.abs().amax().item(), 1e-30) if one.numel() else 0.0
    return bool(((one - other).abs() <= scale).all())
