"""Where a student should look first, and what to try: one more bounded session with the parts and small examples."""

from collections.abc import Sequence

from grader.comparison.compare import compare
from grader.comparison.scored_case import ScoredCase
from grader.diagnosis.beginning import beginning
from grader.diagnosis.divergence import calls_of_parts, first_divergence
from grader.diagnosis.results_by_line import Places, by_line, clearest
from grader.diagnosis.smallest import example_cases, smallest_failing, write_snippet
from grader.diagnosis.symptom import Symptom
from grader.diagnosis.unsteady import is_unsteady, once_more, what_to_look_for
from grader.exercise import Exercise
from grader.guest.execution import Call, CallStatus, Executor, Outcome
from grader.guest.inspection import Inspection
from grader.guest.submission import Submission
from grader.paper.case import Case
from grader.report import EXAMPLE, Diagnosis, Guidance


def guide(
    exercise: Exercise,
    submission: Submission,
    execute: Executor,
    inspection: Inspection,
    scored: Sequence[ScoredCase],
    diagnoses: Sequence[Diagnosis],
) -> Guidance | None:
    """Finds where to look first. None where nothing failed, nothing came back, or nothing is certain. The message
    speaks of no example yet.
    """
    if not any(item.has_returned for item in scored) or all(item.is_right for item in scored):
        return None
    parts, examples = calls_of_parts(exercise, scored), example_cases(exercise, scored)
    again = once_more(scored)
    traced = None if diagnoses else _to_trace(exercise, scored)
    seen, outcome = _judge(exercise, submission, execute, [*parts, *examples, *again], traced)
    within = [item for item in seen if item.case in parts]
    divergence = first_divergence(exercise, scored, within) if len(within) == len(parts) else None
    remembers = any(diagnosis.id == Symptom.REMEMBERS for diagnosis in diagnoses)
    if remembers:
        divergence = None  # a part that remembers is right when it is asked once
    tried = [item for item in seen if item.case in examples]
    snippet = _snippet(exercise, submission, inspection, scored, tried)
    again_made = [item for item in seen if item.case in again]
    unsteady = not remembers and is_unsteady(scored, again_made)
    places = Places.outside_right_parts(submission, inspection, scored)
    begins = beginning(exercise, places, traced, outcome) if traced and outcome and not unsteady else None
    why, place = what_to_look_for(inspection, scored) if unsteady else ("", begins and begins.place)
    said = [*filter(None, [why]), *(found.message for found in (divergence, begins) if found)]
    if not said and not snippet:
        return None
    return Guidance(
        first_wrong=divergence.first_wrong if divergence else None,
        message=" ".join(said),
        line=place.line if place else None,
        file=place.file if place else None,
        snippet=snippet,
    )


def with_its_example(guidance: Guidance) -> Guidance:
    """The guidance with its example told in the message too, where it has one."""
    if not guidance.snippet:
        return guidance
    return guidance.model_copy(update={"message": f"{guidance.message} {EXAMPLE}".strip()})


def _snippet(
    exercise: Exercise,
    submission: Submission,
    inspection: Inspection,
    scored: Sequence[ScoredCase],
    examples: Sequence[ScoredCase],
) -> str | None:
    found = smallest_failing(exercise, scored, examples)
    if found is None:
        return None
    by_name = found.function in inspection.by_name
    return write_snippet(exercise, submission, found, by_name=by_name)


def _to_trace(exercise: Exercise, scored: Sequence[ScoredCase]) -> Call | None:
    """A call that gave wrong values: of a part, where one is wrong by itself."""
    main = exercise.challenge.manifest.source.main
    shown = clearest(item for item in scored if item.function != main) or clearest(scored)
    return None if shown is None else by_line(shown.case.call)


def _judge(
    exercise: Exercise, submission: Submission, execute: Executor, cases: Sequence[Case], traced: Call | None
) -> tuple[list[ScoredCase], Outcome | None]:
    """As far as the session came, and last what came of the traced call. Raises SandboxUnavailable: the same seed must
    give the same report, help and all.
    """
    limits = exercise.challenge.manifest.session_limits
    calls = [*(case.call for case in cases), *([traced] if traced else [])]
    if not calls:
        return [], None
    execution = execute.run(submission, calls, limits.for_help())
    expected = exercise.expected(cases)
    judged = [
        ScoredCase(case, right, outcome, compare(case, right, outcome))
        for case, right, outcome in zip(cases, expected, execution.outcomes[: len(cases)], strict=True)
        if outcome.status is not CallStatus.NOT_RUN
    ]
    return judged, execution.outcomes[-1] if traced else None
