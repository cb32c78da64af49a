"""Reports for the pages to show: one with everything in it, and text that would be dangerous if it were not escaped."""

from grader.efficiency_report import Efficiency, Scaling
from grader.report import (
    ChallengeRef,
    Diagnosis,
    Environment,
    ErrorMap,
    Guidance,
    Report,
    RuleFinding,
    RuleStatus,
    SubmissionRef,
    TestResult,
    TestStatus,
    Verdict,
    Visibility,
)

ATTACK = "<script>alert(1)</script>"
SOURCE = f"""import torch


def rope(x):
    return x  # {ATTACK}


def multihead(q, k, v):
    v = rope(v)
    for head in range(4):
        print("\x1b[31m\u202egnp.exe")
    return v
""".encode()


def full_report(verdict: Verdict = Verdict.FAILED, message: str = "off by 0.3") -> Report:
    return Report(
        challenge=ChallengeRef(slug="mha-rope", version="v1"),
        submission=SubmissionRef(filename="layers.py", sha256="0" * 64),
        verdict=verdict,
        score=26.67,
        max_score=100.0,
        summary="RoPE is applied to the values too.",
        seed=7,
        tests=(
            make_test("heads/1", "heads", TestStatus.FAILED, Visibility.PUBLIC, message),
            make_test("heads/4", "heads", TestStatus.PASSED, Visibility.PUBLIC),
            make_test("theta/1", "theta", TestStatus.FAILED, Visibility.HIDDEN, "hidden message"),
        ),
        diagnoses=(
            Diagnosis(
                id="rope-on-v",
                title="RoPE is applied to the values",
                explanation="Leave `V` as it is.",
                evidence="Equal on 40 of 40 tests.",
                line=9,
            ),
        ),
        structure=(
            RuleFinding(rule="no-loop-over-heads", status=RuleStatus.FAILED, line=10, message="Work grows with heads."),
            RuleFinding(rule="uses-own-rope", status=RuleStatus.PASSED, message="Yes."),
        ),
        guidance=Guidance(message="Below is the smallest example.", snippet="print(output)"),
        efficiency=Efficiency(
            device="cpu",
            time_ratio=4.2,
            memory_ratio=1.3,
            ops={"1": 31, "16": 496},
            scaling=Scaling(lengths=(32, 128), time_exponent=1.96, plain_time_exponent=0.75),
        ),
        environment=Environment(torch="2", device="cpu", sandbox="none"),
    )


def make_test(group_id: str, group: str, status: TestStatus, visibility: Visibility, message: str = "") -> TestResult:
    score = 2.0 if status is TestStatus.PASSED else 0.0
    return TestResult(
        id=group_id,
        group=group,
        title=f"case {group_id}",
        status=status,
        score=score,
        max_score=2.0,
        visibility=visibility,
        message=message,
        error_map=ErrorMap(positions=3, features=4, cells=("0000", "0910", "0000"), heads="09")
        if status is TestStatus.FAILED
        else None,
    )
