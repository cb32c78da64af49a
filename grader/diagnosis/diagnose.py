"""Which idea is wrong? A misconception explains a failure when it gives what the submission gave on the failing
cases.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from grader.comparison.compare import compare
from grader.comparison.scored_case import ScoredCase
from grader.diagnosis.coherence import coherent
from grader.diagnosis.evidence import Grounds
from grader.diagnosis.locate import (
    place_of,
    place_of_symptom,
    place_of_what_is_returned,
    place_where_it_raises,
)
from grader.diagnosis.prediction import Explanation, gives, is_effective
from grader.diagnosis.search import Search
from grader.diagnosis.symptom import Symptom
from grader.exercise import Exercise
from grader.guest.inspection import Inspection, Place
from grader.misconception import Misconception
from grader.paper.case import Aspect
from grader.paper.combinations import in_words
from grader.paper.mismatch import Mismatch
from grader.report import Diagnosis

SYMPTOMS = {
    Mismatch.NO_GRADIENT: Symptom.DETACHED,
    Mismatch.CHANGED_ARGUMENT: Symptom.CHANGES_INPUT,
    Mismatch.NOT_A_TENSOR: Symptom.RETURNS_TUPLE,
}


@dataclass(frozen=True)
class Explained:
    """What diagnosing found: for the report, and for whoever wants to grade against a misreading."""

    diagnoses: tuple[Diagnosis, ...]
    explanations: tuple[Explanation, ...]
    unexplained: tuple[ScoredCase, ...] = ()

    def examples(self, scored: Sequence[ScoredCase]) -> Iterator[ScoredCase]:
        """One case of each explanation."""
        for explanation in self.explanations:
            yield next(item for item in scored if explanation.explains(item))

    def without(self, refuted: Iterable[ScoredCase]) -> "Explained":
        """Less what explains one of these: they came out right in a call of their own, so it was there by chance."""
        cases = {item.case.id for item in refuted}
        dropped = [explanation for explanation in self.explanations if explanation.cases & cases]
        ids = {mistake.id for explanation in dropped for mistake in explanation.mistakes}
        return Explained(
            tuple(diagnosis for diagnosis in self.diagnoses if diagnosis.id not in ids),
            tuple(explanation for explanation in self.explanations if explanation not in dropped),
            self.unexplained,
        )


def diagnose(exercise: Exercise, inspection: Inspection, scored: Sequence[ScoredCase]) -> Explained:
    """The misconceptions that explain the failing cases, the most telling first."""
    return _Teller(exercise, inspection, scored).explained()


def remembers(
    exercise: Exercise, inspection: Inspection, item: ScoredCase, others: frozenset[str]
) -> tuple[Diagnosis, ...]:
    """The diagnosis for a case that fails in the paper, with these `others`, and is right when it is the only call."""
    if Symptom.REMEMBERS not in {mistake.id for mistake in exercise.misconceptions}:
        return ()
    evidence = f"{item.case.title}: right when it is the first call."
    tests = sorted({item.case.id, *others})
    return (_from_symptom(exercise, inspection, Symptom.REMEMBERS, item, evidence, tests),)


class _Teller:
    """Tells the mistakes in one submission's outcomes."""

    def __init__(self, exercise: Exercise, inspection: Inspection, scored: Sequence[ScoredCase]) -> None:
        self._exercise = exercise
        self._inspection = inspection
        self._failing = [item for item in scored if not item.is_right]
        self._passing = [item for item in scored if item.is_right]
        self._right = {item.function for item in self._passing} - {item.function for item in self._failing}
        self._grounds = Grounds(exercise, scored)

    def explained(self) -> Explained:
        search = Search(self._exercise, self._failing, self._passing)
        explanations = self._not_contradicted(coherent(self._exercise, tuple(search.explanations()), self._failing))
        found = {
            mistake.id: self._diagnosis(mistake, explanation)
            for explanation in sorted(explanations, key=lambda explanation: len(explanation.cases))
            for mistake in self._smaller_first(explanation)
        }
        unexplained = self._left_by(explanations)
        symptoms = [told for told in self._symptoms(explanations, unexplained) if told.id not in found]
        return Explained((*reversed(found.values()), *symptoms), explanations, unexplained)

    def _left_by(self, explanations: Sequence[Explanation]) -> tuple[ScoredCase, ...]:
        return tuple(item for item in self._failing if not any(one.explains(item) for one in explanations))

    def _not_contradicted(self, explanations: Sequence[Explanation]) -> tuple[Explanation, ...]:
        """Without those that say a part is not used, where it is, and is wrong by itself in a way that nobody knows:
        what it does there may just as well be nothing.
        """
        main = self._exercise.challenge.manifest.source.main
        wrong = {item.function for item in self._left_by(explanations)} - {main}
        used_wrong = wrong & set(self._inspection.reachable.get(main, ()))
        if not used_wrong:
            return tuple(explanations)
        leaves_out = self._exercise.reach.leaves_out
        return tuple(one for one in explanations if not any(used_wrong & leaves_out(each) for each in one.mistakes))

    def _smaller_first(self, explanation: Explanation) -> Sequence[Misconception]:
        """Its mistakes; of several, those first that made alone would fail the fewest of its cases."""
        if len(explanation.mistakes) == 1:
            return explanation.mistakes
        explained = [item for item in self._failing if explanation.explains(item)]
        return sorted(
            explanation.mistakes,
            key=lambda mistake: sum(is_effective(self._exercise, (mistake,), item) for item in explained),
        )

    def _diagnosis(self, mistake: Misconception, explanation: Explanation) -> Diagnosis:
        explained = [item for item in self._failing if explanation.explains(item)]
        together = " together with the other mistake named here" if len(explanation.mistakes) > 1 else ""
        grounds = self._grounds.of(explanation, self._failing)
        evidence = grounds.sentence(len(self._failing), together) + _where(explanation)
        shown = {item.function for item in explained}
        guess = place_of(self._exercise, self._inspection, mistake, self._right, shown)
        place = place_where_it_raises(explained) or place_of_what_is_returned(self._inspection, explained) or guess
        told = _told(mistake, evidence, place, [item.case.id for item in explained])
        return told.model_copy(update={"in_some_calls": explanation.is_partial})

    def _symptoms(self, explanations: Sequence[Explanation], failing: Sequence[ScoredCase]) -> Iterator[Diagnosis]:
        """Mismatches that name themselves, however the code came to have them."""
        known = {mistake.id for mistake in self._exercise.misconceptions}
        for mismatch, symptom in SYMPTOMS.items():
            alike = [item for item in failing if item.finding.mismatch is mismatch]
            if symptom not in known or not alike:
                continue
            if mismatch is Mismatch.NO_GRADIENT and _is_rather_of_the_output(failing):
                continue
            if _is_output_understood(self._exercise, explanations, alike[0]):
                evidence = f"{alike[0].case.title}: {alike[0].finding.message}"
                shown = [item.case.id for item in alike]
                yield _from_symptom(self._exercise, self._inspection, symptom, alike[0], evidence, shown)


def _where(explanation: Explanation) -> str:
    """What is to be said of a mistake that is made in some calls only."""
    if not explanation.is_partial:
        return ""
    made = "Your code makes it only in some calls"
    if explanation.condition is not None:
        made = f"{made}: those {in_words(*explanation.condition)}"
    return f" {made}. Other tests that would reveal it pass."


def _is_rather_of_the_output(failing: Sequence[ScoredCase]) -> bool:
    """Whether outputs are wrong, for no known reason, in more cases than lack a gradient: what is not used there has
    none, and where all is zero the output comes out right by chance.
    """
    mismatches = [item.finding.mismatch for item in failing]
    return mismatches.count(Mismatch.NO_GRADIENT) < sum(
        mismatches.count(mismatch) for mismatch in (Mismatch.VALUES, Mismatch.NOT_FINITE, Mismatch.SHAPE)
    )


def _is_output_understood(exercise: Exercise, explanations: Sequence[Explanation], item: ScoredCase) -> bool:
    """Where the output is wrong for no known reason, a missing gradient may come from a weight that is not used; and
    a tuple is too much only where what is asked for comes first in it.
    """
    if item.finding.mismatch is Mismatch.NOT_A_TENSOR:
        first = replace(item.outcome, outputs=item.outcome.outputs[:1])
        return len(item.outcome.outputs) > 1 and compare(item.case, item.expected, first).mismatch is None
    if Aspect.GRADIENTS not in item.case.aspects:
        return True
    forward = replace(item, case=replace(item.case, aspects=frozenset({Aspect.OUTPUT})))
    return compare(forward.case, item.expected, item.outcome).mismatch is None or any(
        gives(exercise, explanation.mistakes, forward) for explanation in explanations
    )


def _from_symptom(
    exercise: Exercise, inspection: Inspection, symptom: Symptom, item: ScoredCase, evidence: str, tests: Sequence[str]
) -> Diagnosis:
    mistake = next(mistake for mistake in exercise.misconceptions if mistake.id == symptom)
    return _told(mistake, evidence, place_of_symptom(inspection, symptom, item.function), tests)


def _told(mistake: Misconception, evidence: str, place: Place | None, tests: Sequence[str]) -> Diagnosis:
    return Diagnosis(
        id=mistake.id,
        title=mistake.title,
        explanation=mistake.explanation,
        evidence=evidence,
        line=None if place is None else place.line,
        file=None if place is None else place.file,
        tests=tuple(tests),
    )
