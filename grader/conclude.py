"""From tests and rules to the verdict, and the one sentence that the student reads first."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.comparison.efficiency import DIFFERS
from grader.comparison.problems import describe, ended, explained, is_unwritten
from grader.efficiency_report import Efficiency
from grader.forgeable import failed as failed_beside
from grader.guest.execution import CallStatus, Ending, Execution, Outcome, Problem
from grader.guest.inspection import Place
from grader.guest.landmarks import in_order
from grader.guest.limits import CALL_CPU_S, WAIT_S
from grader.guest.problem import LATE_IMPORT, WAITING
from grader.manifest import Forbidden, Manifest
from grader.report import (
    Breakdown,
    Diagnosis,
    Forgeable,
    Guidance,
    Remark,
    RuleFinding,
    RuleStatus,
    TestResult,
    TestStatus,
    Verdict,
    Visibility,
    look_at,
    where_in,
)

EXITS = ("SystemExit", "KeyboardInterrupt", "GeneratorExit")
CUT_WHILE_WATCHED = (
    "Your code passed the tests but did not finish while it was being traced for the rules. Tracing slows down Python "
    "loops: use torch's operations instead."
)


@dataclass(frozen=True)
class Conclusion:
    """The verdict, and the sentence that says why."""

    verdict: Verdict
    summary: str
    place: Place | None = None  # where it crashed
    breakdown: Breakdown | None = None  # where that is what the summary tells


@dataclass(frozen=True)
class Result:
    """What putting the paper to the submission brought."""

    execution: Execution
    tests: tuple[TestResult, ...]
    rules: tuple[RuleFinding, ...]
    breakdown: Breakdown | None
    diagnoses: tuple[Diagnosis, ...]
    guidance: Guidance | None
    in_common: str
    first: str
    efficiency: Efficiency | None
    remarks: tuple[Remark, ...]
    is_right_when_timed: bool


def conclude(manifest: Manifest, filename: str, found: Result, forgeable: Forgeable | None) -> Conclusion:
    """The verdict: how the session ended comes first, then crashes inside it, then tests and rules, then the tests
    whose outcome could be forged.

    Watching slows loops in Python down many times. Where time runs out only there, the paper and the rules decide if
    they are against the submission; half a look is not enough to pass.
    """
    tests, execution, breakdown = found.tests, found.execution, found.breakdown
    if execution.ending is Ending.OUT_OF_TIME and (memory := _out_of_memory(manifest, execution.outcomes)):
        return memory
    is_paper_done = all(test.status is not TestStatus.TIMEOUT for test in tests)
    is_cut_while_watched = execution.ending is Ending.OUT_OF_TIME and is_paper_done
    if execution.ending is not Ending.COMPLETED and not is_cut_while_watched:
        return _ended(manifest, filename, execution)
    crash = _crash(manifest, filename, found)
    if crash is not None:
        return crash
    failed = [
        test
        for test in tests
        if test.status is not TestStatus.PASSED and test.group in manifest.families
        if manifest.families[test.group].required
    ]
    broken = [rule for rule in found.rules if manifest.rules[rule.rule].required and rule.status is RuleStatus.FAILED]
    if failed and breakdown is not None and not _is_told_by_an_idea(breakdown, found.diagnoses):
        said = _broken_down(breakdown, tests) + _besides(breakdown, tests, found.diagnoses)
        return Conclusion(Verdict.FAILED, said, breakdown=breakdown)
    if failed or broken:
        return Conclusion(Verdict.FAILED, _failure(manifest, found, failed, broken))
    if not found.is_right_when_timed:
        return Conclusion(Verdict.FAILED, f"Not passed yet. {DIFFERS}")
    if is_cut_while_watched:
        return Conclusion(Verdict.TIMEOUT, CUT_WHILE_WATCHED)
    if forgeable is not None and (beside := failed_beside(manifest, forgeable)):
        return Conclusion(Verdict.FAILED, _failed_beside(manifest, beside, forgeable))
    return Conclusion(Verdict.PASSED, f"{_success(manifest, tests)}{_passed_beside(forgeable)}")


def _is_told_by_an_idea(breakdown: Breakdown, diagnoses: Sequence[Diagnosis]) -> bool:
    """Whether a named mistake accounts for all that breaks down, and for results that came back besides."""
    return any(set(diagnosis.tests) > set(breakdown.tests) for diagnosis in diagnoses)


def _broken_down(breakdown: Breakdown, tests: Sequence[TestResult]) -> str:
    failing = sum(test.status.is_failure for test in tests)
    ended = len(breakdown.tests)
    if failing == 1:
        return f"{_told(breakdown)} The one failing test stops there."
    which = f"{ended} of {failing}" if ended < failing else "Both" if failing == 2 else f"All {failing}"
    return f"{_told(breakdown)} {which} failing tests stop there."


def _besides(breakdown: Breakdown, tests: Sequence[TestResult], diagnoses: Sequence[Diagnosis]) -> str:
    """The first idea, where most of what fails does not stop there but comes of it."""
    is_minor = 2 * len(breakdown.tests) < sum(test.status.is_failure for test in tests)
    return f" Besides, {_amid(_cause(diagnoses[0]))}" if is_minor and diagnoses else ""


def _told(breakdown: Breakdown) -> str:
    """What happens, and what it means where it does not say so itself."""
    return breakdown.message if breakdown.message.endswith("?") else f"{breakdown.message} {breakdown.meaning}".strip()


def _ended(manifest: Manifest, filename: str, execution: Execution) -> Conclusion:
    match execution.ending:
        case Ending.IMPORT_FAILED:
            what = explained(execution.problem) if execution.problem else "an exception."
            return Conclusion(
                Verdict.ERROR, f"{filename} could not be imported: it raised {what}", _place_of(execution.problem)
            )
        case Ending.OUT_OF_TIME if (problem := execution.problem) is not None and problem.line is not None:
            return Conclusion(
                Verdict.TIMEOUT, _late(filename, where_in(problem.line, problem.file), problem.type), _place_of(problem)
            )
        case Ending.OUT_OF_TIME:
            limits = (
                f"{manifest.limits.cpu_s:.0f} seconds of processor time, {manifest.limits.wall_s:.0f} seconds in total"
            )
            return Conclusion(
                Verdict.TIMEOUT,
                f"Your code did not finish in time ({limits}, for all tests together). Look for an endless loop, for "
                "work that grows too fast with the input or is done anew in every call, and for anything that waits.",
            )
        case Ending.OUT_OF_MEMORY:
            return Conclusion(Verdict.ERROR, f"Your code used more than {manifest.limits.memory_mib} MiB of memory.")
        case Ending.EXITED:
            return Conclusion(
                Verdict.ERROR, f"Your code ended the process itself ({execution.detail}); remove calls to exit."
            )
        case Ending.KILLED:
            return Conclusion(Verdict.ERROR, f"Your code crashed the Python process ({execution.detail}).")
        case Ending.OUTPUT_TOO_LARGE:
            return Conclusion(Verdict.ERROR, "Your code printed or returned far more than the exercise asks for.")
        case _:
            return Conclusion(Verdict.ERROR, "Your code interfered with the channel that returns the results.")


def _late(filename: str, where: str, kind: str) -> str:
    if kind == WAITING:
        return (
            f"Your code waited in {where} for {WAIT_S:.0f} seconds and did nothing: remove what sleeps or waits there."
        )
    if kind == LATE_IMPORT:
        return (
            f"{filename} was still being imported after {CALL_CPU_S:.0f} seconds, in {where}: whatever stands outside "
            'functions runs at every import. Delete it, or put it under `if __name__ == "__main__":`.'
        )
    return f"Your code was still in {where} after {CALL_CPU_S:.0f} seconds: look for an endless loop."


def _crash(manifest: Manifest, filename: str, found: Result) -> Conclusion | None:
    outcomes, breakdown = found.execution.outcomes, found.breakdown
    memory = _out_of_memory(manifest, outcomes)
    if memory is not None:
        return memory
    problems = [outcome.problem for outcome in outcomes if outcome.problem is not None]
    for problem in problems:
        if any(base in EXITS for base in problem.bases):
            where = where_in(problem.line, problem.file) if problem.line else "your code"
            said = f"{where[0].upper()}{where[1:]} ends the program ({problem.type}): remove that call."
            return Conclusion(Verdict.ERROR, said, _place_of(problem))
    raised = [outcome for outcome in outcomes if outcome.status is CallStatus.RAISED]
    if len(raised) < len(outcomes) or not problems:
        return None
    if all(is_unwritten(problem) for problem in problems):
        said = f"{filename} is not filled in yet: every call raised NotImplementedError."
        failing = tuple(test.id for test in found.tests if test.status.is_failure)
        first = min(filter(None, map(_place_of, problems)), key=in_order, default=None)
        line, file = (None, None) if first is None else (first.line, first.file)
        return Conclusion(Verdict.FAILED, said, breakdown=Breakdown(message=said, line=line, file=file, tests=failing))
    if breakdown is not None:
        ends = "Every call stops there." if len(breakdown.tests) == len(raised) else "Every call raises an exception."
        return Conclusion(Verdict.ERROR, f"{_told(breakdown)} {ends}", breakdown=breakdown)
    return Conclusion(
        Verdict.ERROR,
        f"Every call to your code raised an exception. The first was {ended(describe(problems[0]))}",
        _place_of(problems[0]),
    )


def _out_of_memory(manifest: Manifest, outcomes: Sequence[Outcome]) -> Conclusion | None:
    """Where a call was: that takes time as well, and is the reason. What calls itself without end takes memory, too."""
    problems = [outcome.problem for outcome in outcomes if outcome.problem is not None]
    problem = next((one for one in problems if one.out_of_memory), None)
    if problem is None or any(RecursionError.__name__ in one.bases for one in problems):
        return None
    said = f"Your code ran out of memory ({manifest.limits.memory_mib} MiB): {ended(describe(problem))}"
    return Conclusion(Verdict.ERROR, said, _place_of(problem))


def _place_of(problem: Problem | None) -> Place | None:
    return Place(problem.line, problem.file) if problem and problem.line else None


def _success(manifest: Manifest, tests: Sequence[TestResult]) -> str:
    """What is not required may have failed, and what is measured last is then not measured."""
    passed = sum(test.status is TestStatus.PASSED for test in tests)
    if passed == len(tests):
        return f"Right: all {len(tests)} tests passed."
    skipped = [test for test in tests if test.status is TestStatus.SKIPPED]
    missed = [test for test in tests if test.status.is_failure]
    but = f", all except those for {_titles(manifest, missed)}" if missed else ""
    left_out = f"; {_titles(manifest, skipped)} was not measured" if skipped else ""
    return f"Everything required is right: {passed} of {len(tests)} tests passed{but}{left_out}."


def _failed_beside(manifest: Manifest, failed: Sequence[TestResult], forgeable: Forgeable) -> str:
    titles = ", ".join(dict.fromkeys(_amid(manifest.forgeable[test.group].title) for test in failed))
    total = len(forgeable.tests)
    return f"Not passed yet: of the tests that run beside your code, {len(failed)} of {total} failed ({titles})."


def _passed_beside(forgeable: Forgeable | None) -> str:
    """That they passed proves nothing, and the sentence says so."""
    if forgeable is None:
        return ""
    passed = sum(test.status is TestStatus.PASSED for test in forgeable.tests)
    return f" Of the tests that run beside your code and could be forged, {passed} of {len(forgeable.tests)} passed."


def _titles(manifest: Manifest, tests: Sequence[TestResult]) -> str:
    """Of their families, each once."""
    families = manifest.families
    titles = (families[test.group].title if test.group in families else test.title for test in tests)
    return ", ".join(dict.fromkeys(map(_amid, titles)))


def _failure(manifest: Manifest, found: Result, failed: Sequence[TestResult], broken: Sequence[RuleFinding]) -> str:
    """What a library did has to be written anew, whatever is wrong with it: that comes first."""
    seen = [one for one in broken if one.message.startswith(manifest.rules[one.rule].message)]
    borrowed = next((one for one in seen if manifest.rules[one.rule].forbids is Forbidden.LIBRARY), None)
    if failed and borrowed is not None:
        return f"A rule is broken: {_broken(manifest, borrowed)}"
    if found.diagnoses:
        return _cause(found.diagnoses[0])
    if not failed:
        return f"The numbers are right, but {_rule_told(manifest, broken, seen)}"
    said = [found.in_common, found.guidance.message if found.guidance else ""]
    if any(said):
        return " ".join(filter(None, said))
    messages = {test.message if test.visibility is Visibility.PUBLIC else "" for test in failed}
    if len(messages) == 1 and (message := messages.pop()):
        return message
    families = list(dict.fromkeys(_amid(manifest.families[test.group].title) for test in failed))
    shown = ", ".join(families[:3]) + (" and more" if len(families) > 3 else "")
    return f"Not passed yet: {len(failed)} of {len(found.tests)} tests failed ({shown}). {found.first}".rstrip()


def _rule_told(manifest: Manifest, broken: Sequence[RuleFinding], seen: Sequence[RuleFinding]) -> str:
    """One that was seen broken comes first. Of one that cannot be judged the reason counts."""
    if seen:
        return f"a rule is broken: {_broken(manifest, seen[0])}"
    return f"a rule cannot be judged: {_amid(manifest.rules[broken[0].rule].title)}. {broken[0].message}"


def _broken(manifest: Manifest, finding: RuleFinding) -> str:
    """By its title, and where to look."""
    where = look_at(finding.line, finding.file) if finding.line else ""
    return f"{_amid(manifest.rules[finding.rule].title)}. {where}".rstrip()


def _cause(diagnosis: Diagnosis) -> str:
    if not diagnosis.in_some_calls:
        return f"{diagnosis.title}."
    return f"In some calls, {_amid(diagnosis.title).replace(' always ', ' ')}."


def _amid(title: str) -> str:
    """A title in the middle of a sentence: without its capital, unless that belongs to a name, as in RoPE or Q."""
    first = title.partition(" ")[0]
    is_name = any(letter.isupper() for letter in first[1:]) or (len(first) == 1 and first != "A")
    return title if is_name else title[0].lower() + title[1:]
