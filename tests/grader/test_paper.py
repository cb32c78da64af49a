"""What the paper of mha-rope promises: room on both sides of the tolerance, no two mistakes alike, remarks that cost
nothing. What one seed shows is tried on several.
"""

import itertools
from types import ModuleType

import pytest

from grader.challenge import Challenge, load_challenges
from grader.comparison.alike import alike
from grader.comparison.compare import compare
from grader.diagnosis.prediction import predicted
from grader.exercise import exercise_of
from grader.grade import grade
from grader.guest.execution import Outcome
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.misconception import Misconception
from grader.paper.case import Case
from grader.paper.draw import Draw
from grader.report import Report, RuleStatus, Verdict

SEEDS = (11, 12)
# Values alone do not show these: a rule does, or the order of the calls.
SEEN_OTHERWISE = {"loop-over-heads"}
REMEMBER = "stale-cache"


@pytest.mark.parametrize("seed", SEEDS)
def test_right_answers_stay_ten_times_below_every_tolerance(mha_rope: Challenge, seed: int) -> None:
    exercise = exercise_of(mha_rope)
    paper = exercise.paper(seed)
    expected = exercise.expected(paper.cases)
    answers = {variant.name: variant.submission for variant in exercise.variants("accepted")}
    del answers["einx_and_jaxtyping_classes"]  # right, and slow: `verify` grades it
    for name, submission in {"reference": exercise.submission_with(), **answers}.items():
        execution = InProcess().run(submission, [case.call for case in paper.cases], mha_rope.manifest.session_limits)
        for case, right, outcome in zip(paper.cases, expected, execution.outcomes, strict=True):
            finding = compare(case, right, outcome)
            assert finding.mismatch is None, f"{name}, {case.id}: {finding.message}"
            assert 10 * finding.metrics.get("max_abs_error", 0.0) <= finding.metrics.get("tolerance", 0.0), (
                f"{name}, {case.id}: {dict(finding.metrics)}"
            )


def test_no_mistake_is_taken_for_another_and_all_are_far_above_the_tolerance(mha_rope: Challenge) -> None:
    exercise = exercise_of(mha_rope)
    cases = exercise.paper(SEEDS[0]).cases
    expected = exercise.expected(cases)
    mistakes = [mistake for mistake in exercise.misconceptions if mistake.id not in SEEN_OTHERWISE | {REMEMBER}]

    def is_far_off(mistake: Misconception, case: Case, right: Outcome) -> bool:
        finding = compare(case, right, predicted(exercise, (mistake,), case))
        metrics = finding.metrics
        return finding.mismatch is not None and (not metrics or metrics["max_abs_error"] >= 10 * metrics["tolerance"])

    for mistake in mistakes:
        assert any(is_far_off(mistake, *judged) for judged in zip(cases, expected, strict=True)), mistake.name

    def is_told_apart(pair: tuple[Misconception, Misconception], case: Case) -> bool:
        one, other = (predicted(exercise, (mistake,), case) for mistake in pair)
        return one is not other and not alike(case, one, other)

    # Two block sizes of one family may give the same on a paper whose lengths do not tell them apart.
    alike_so_far = [
        (one, other)
        for one, other in itertools.combinations(mistakes, 2)
        if one.name.rstrip("0123456789") != other.name.rstrip("0123456789")
    ]
    for case in cases:  # each is put to those alone that no case before has told from another
        alike_so_far = [pair for pair in alike_so_far if not is_told_apart(pair, case)]
    assert not alike_so_far, "these give the same everywhere, make them one: " + ", ".join(
        f"{one.name} and {other.name}" for one, other in alike_so_far
    )


def test_every_diagnosis_of_the_contract_has_its_mistake(mha_rope: Challenge) -> None:
    promised = """rope-on-v rope-before-split rope-q-only rope-k-only half-split-rope rope-direction theta-ignored
        positions-ignored missing-transpose-back reshape-before-transpose fixed-rank-transpose softmax-dim missing-scale
        scale-by-d-model causal-mask mask-inverted qk-swapped weights-not-transposed missing-output-projection
        head-order detached-gradient input-mutated unstable-softmax stale-cache"""
    assert set(promised.split()) <= {mistake.id for mistake in exercise_of(mha_rope).misconceptions}


def test_families_and_rules_are_worth_a_hundred_points(mha_rope: Challenge) -> None:
    assert mha_rope.manifest.max_score == 100


TABLES = "    cos, sin = table.cos()"


@pytest.mark.parametrize(
    ("line", "remark"),
    [
        ("assert in_query_or_key.dtype != torch.bfloat16, 'unknown dtype'", "half-precision"),
        ("assert token_positions.dtype == torch.int64, 'not int64'", "int32-positions"),
        ("token_positions = token_positions.clamp(max=max_seq_len - 1)", "beyond-max-seq-len"),
        ("assert in_query_or_key.shape != (2, 5, 8) or in_query_or_key.is_contiguous()", "rope-non-contiguous"),
    ],
)
def test_what_the_exercise_leaves_open_earns_a_remark_and_loses_nothing(
    mha_rope: Challenge, line: str, remark: str
) -> None:
    submission = exercise_of(mha_rope).baseline()
    source = submission.source.decode()
    assert TABLES in source
    changed = source.replace(TABLES, f"    {line}\n{TABLES}").encode()
    report = grade(mha_rope, Submission(submission.main, {submission.main: changed}), 3, InProcess())
    assert report.verdict is Verdict.PASSED
    assert [noticed.id for noticed in report.remarks] == [remark]


def test_the_parts_of_a_right_answer_count_when_their_results_matter(mha_rope: Challenge) -> None:
    exercise = exercise_of(mha_rope)
    for_show = next(cheat for cheat in exercise.variants("cheats") if cheat.name == "parts_called_for_show")
    report = grade(mha_rope, for_show.submission, 3, InProcess())
    broken = {finding.rule for finding in report.structure if finding.status is RuleStatus.FAILED}
    assert broken == {"uses-own-rope", "uses-own-attention"}
    assert all(finding.line for finding in report.structure if finding.status is RuleStatus.FAILED)


def _case(mha_rope: Challenge, name: str) -> Case:
    return next(case for case in exercise_of(mha_rope).paper(3).cases if case.id == name)


def test_an_expanded_input_shares_its_memory(mha_rope: Challenge) -> None:
    main = mha_rope.manifest.default_path
    source = b"import torch\ndef multihead_self_attention_with_rope(**kw):\n"
    source += b"    return torch.tensor(kw['in_features'].stride(), dtype=torch.float32)\n"
    call = _case(mha_rope, "accuracy/expanded").call
    (outcome,) = InProcess().run(Submission(main, {main: source}), [call], mha_rope.manifest.session_limits).outcomes
    assert outcome.outputs[0][0] == 0


@pytest.mark.parametrize(
    ("seed", "integers", "values"),
    [
        (0, [121607898, 478674602, 700958074], [13, 223, 714, 179]),
        (2**31 - 1, [451588661, 661555506, 985077654], [569, 951, 414, 348]),
    ],
)
def test_seeds_of_earlier_papers_draw_what_they_drew(seed: int, integers: list[int], values: list[int]) -> None:
    draw = Draw(seed, "heads", ModuleType("reference"))
    assert [draw.integer(0, 10**9) for _ in integers] == integers
    assert draw.distinct(len(values), 1000).tolist() == values


def test_every_bit_of_a_long_seed_counts(mha_rope: Challenge) -> None:
    seeds = (2**63 - 1, 2**63 - 2, 2**62 - 1, 2**31 - 1)
    drawn = {Draw(seed, "heads", ModuleType("reference")).integer(0, 10**9) for seed in seeds}
    assert len(drawn) == len(seeds)
    right = exercise_of(mha_rope).baseline()
    report = grade(mha_rope, right, seeds[0], InProcess(), is_timed=False)
    assert (report.verdict, Report.model_validate_json(report.to_json()).seed) == (Verdict.PASSED, seeds[0])


@pytest.mark.parametrize("slug", load_challenges())
def test_no_two_tests_of_a_paper_have_the_same_title(slug: str) -> None:
    titles = [case.title for case in exercise_of(load_challenges()[slug]).paper(3).cases]
    assert len(set(titles)) == len(titles)
