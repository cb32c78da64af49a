"""Reports, events, questions and marks as a server would give them; the verdict is chosen by a word in the file."""

from collections.abc import Iterator
from typing import Any

from pydantic import JsonValue

from grader.efficiency_report import Efficiency, Scaling
from grader.report import (
    ChallengeRef,
    Diagnosis,
    Environment,
    Report,
    RuleFinding,
    RuleStatus,
    SubmissionRef,
    TestResult,
    TestStatus,
    Verdict,
    Visibility,
)

RIGHT = b"def multihead_self_attention_with_rope():\n    return 'RIGHT'\n"
ROPE_ON_V = b"""import torch

def multihead_self_attention_with_rope():
    q, k, v = 1, 2, 3
    for h in range(num_heads):
\tv = rope(v)  # [bold]markup[/bold] \x1b[31m
    return 'ROPE_ON_V'
"""
UNREADABLE = b"def broken(:\n  REJECT\n"


def report_for(source: bytes, filename: str) -> Report:
    base: dict[str, Any] = {
        "challenge": ChallengeRef(slug="mha-rope", version="abc"),
        "submission": SubmissionRef(filename=filename, sha256="0" * 64),
        "max_score": 100.0,
        "environment": Environment(torch="2.13.0", device="cpu", sandbox="zygote"),
    }
    if b"RIGHT" in source:
        efficiency = Efficiency(device="cpu", time_ratio=1.08, memory_ratio=1.0, is_rough=True, ops={"1": 31, "16": 31})
        tests = tuple(_test(group, n, TestStatus.PASSED) for group in ("heads", "positions") for n in range(3))
        return Report(
            **base,
            verdict=Verdict.PASSED,
            score=100.0,
            summary="All of it is right.",
            tests=tests,
            efficiency=efficiency,
        )
    if b"REJECT" in source:
        return Report(
            **base,
            verdict=Verdict.REJECTED,
            score=0,
            summary="Line 1 is not Python: invalid syntax. Fix it and submit again.",
        )
    if b"CRASH" in source:
        message = "Traceback:\n  File \"layers.py\", line 3\nKeyError: 'q'"
        tests = (_test("heads", 0, TestStatus.ERROR, message), _test("heads", 1, TestStatus.SKIPPED))
        return Report(**base, verdict=Verdict.ERROR, score=0, summary="KeyError in line 3 of layers.py.", tests=tests)
    return Report(**base, **_rope_on_v())


def _rope_on_v() -> dict[str, Any]:
    wrong = {"max_abs_error": 0.3127, "tolerance": 1e-5}
    told = "The output differs from the reference [red]where[/red] position > 0."
    return {
        "verdict": Verdict.FAILED,
        "score": 37.5,
        "summary": "Your code runs, but RoPE is also applied to the values.",
        "tests": (
            *(_test("heads", n, TestStatus.FAILED, told, wrong) for n in range(5)),
            *(_test("positions", n, TestStatus.FAILED, visibility=Visibility.HIDDEN) for n in range(2)),
            _test("positions", 2, TestStatus.PASSED),
            *(_test("contract", n, TestStatus.PASSED) for n in range(3)),
        ),
        "diagnoses": (
            Diagnosis(
                id="rope-on-v",
                title="RoPE is applied to V",
                explanation="Rotation tells attention where a query and a key stand, "
                "so that their product depends on the distance. "
                "The values are what is read out; rotating them mixes position into the content.",
                evidence="On 5 of 5 failing cases your output equals this mistake's output (largest difference 2e-07).",
                line=6,
            ),
        ),
        "structure": (
            RuleFinding(rule="uses-own-rope", status=RuleStatus.PASSED, message="Your own rope is used."),
            RuleFinding(
                rule="no-loop-over-heads",
                status=RuleStatus.FAILED,
                line=5,
                message="This loop goes over the heads; one batched product does all of them at once.",
            ),
        ),
        "efficiency": Efficiency(
            device="cpu",
            time_ratio=4.2,
            memory_ratio=1.3,
            ops={"1": 31, "16": 496},
            scaling=Scaling(lengths=(32, 128), time_exponent=1.96, plain_time_exponent=0.75),
        ),
    }


def _test(
    group: str,
    n: int,
    status: TestStatus,
    message: str = "",
    metrics: dict[str, float] | None = None,
    visibility: Visibility = Visibility.PUBLIC,
) -> TestResult:
    points = 2.5 if status is TestStatus.PASSED else 0.0
    return TestResult(
        id=f"{group}-{n}",
        group=group,
        title=f"{group}: case {n}, batch 2, sequence 7",
        status=status,
        score=points,
        max_score=2.5,
        visibility=visibility,
        message=message,
        metrics=metrics or {},
    )


def events_of(report: Report) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "state", {"state": "queued"}
    yield "state", {"state": "running"}
    for done, test in enumerate(report.tests, start=1):
        shown = test.model_dump(mode="json", include={"id", "group", "title", "status", "score", "max_score"})
        yield "test", shown | {"done": done, "total": len(report.tests)}
    yield "verdict", {"verdict": report.verdict, "score": report.score, "max_score": 100.0, "summary": report.summary}
    yield "state", {"state": "graded"}


QUESTIONS: list[dict[str, Any]] = [
    {
        "id": "score-memory",
        "kind": "number",
        "prompt": "How many GB do the attention scores take for batch 32, 32 heads, sequence 2048, in float32?",
        "points": 2.0,
        "unit": "GB",
        "options": [],
        "hint": "A number; within 5 % counts.",
    },
    {
        "id": "why-not-v",
        "kind": "choice",
        "prompt": "Why is V not rotated?",
        "points": 1.0,
        "unit": None,
        "options": [
            {"id": "relative", "text": "Only the scores need positions."},
            {"id": "slow", "text": "It would be slower."},
        ],
        "hint": "Type the letter of one option.",
    },
    {
        "id": "order",
        "kind": "order",
        "prompt": "Bring the steps into order.",
        "points": 1.0,
        "unit": None,
        "options": [
            {"id": "split", "text": "Split heads"},
            {"id": "project", "text": "Project"},
            {"id": "rope", "text": "RoPE"},
        ],
        "hint": "The letters in order, for example: b a c",
    },
    {
        "id": "explain",
        "kind": "text",
        "prompt": "What would change with a causal mask?",
        "points": 2.0,
        "unit": None,
        "options": [],
        "hint": "Two or three sentences.",
    },
]


FILL: dict[str, Any] = {
    "id": "fill",
    "kind": "line",
    "prompt": "Which line is missing?",
    "code": "def scale(scores, d_k):\n    return ...",
    "points": 1.0,
    "hint": "One line of Python.",
}
CHOICES: dict[str, Any] = {
    "id": "which",
    "kind": "choices",
    "prompt": "Which are rotated?",
    "points": 1.0,
    "options": [{"id": "a", "text": "queries"}, {"id": "b", "text": "values"}, {"id": "c", "text": "keys"}],
    "hint": "The letters of all that are right.",
}


def mark(question: str, answer: JsonValue) -> dict[str, Any] | None:
    """None: not of the right form."""
    if question == "score-memory":
        try:
            right = abs(float(str(answer).removesuffix("GB")) - 17.2) < 0.9
        except ValueError:
            return None
        return _mark(right, 2.0, "32·32·2048²·4 bytes." if right else "You may have left out a factor.")
    if question == "why-not-v":
        return _mark(answer == "relative", 1.0, "The product of rotated q and k depends on the distance alone.")
    if question == "order":
        return _mark(answer == ["project", "split", "rope"], 1.0, "")
    if question == "which":
        return _mark(answer == ["a", "c"], 1.0, "Values are summed up.")
    return {"status": "pending", "score": 0.0, "max_score": 2.0, "feedback": "A person will read it."}


def _mark(right: bool, points: float, feedback: str) -> dict[str, Any]:
    status = "correct" if right else "incorrect"
    return {"status": status, "score": points if right else 0.0, "max_score": points, "feedback": feedback}


CAUSE = {"id": "rope-on-v", "title": "RoPE is applied to V", "explanation": "It belongs to Q and K alone."}


def hunt(number: int = 1) -> dict[str, Any]:
    return {
        "id": f"h{number}",
        "challenge": "mha-rope",
        "number": number,
        "drawn_at": "2026-11-21T10:00:00Z",
        "default_path": "cs336_basics/layers.py",
        "source": f"# solution {number}\nwrong = True\n",
        "symptoms": {
            "text": "Shifted by 5, the outputs are off.",
            "fails": ["Token positions"],
            "agrees": ["Number of heads"],
            "case": "positions with gaps",
            "snippet": "from cs336_basics.layers import wrong\nprint(wrong)\n",
        },
        "lines_max": 10,
        "tries": 0,
        "is_solved": False,
        "cause": None,
        "left": 1,
    }


def fix_of(report: Report, source: bytes) -> dict[str, Any]:
    passed, is_small = report.verdict is Verdict.PASSED, b"REWRITE" not in source
    said = (
        "You found it." if passed and is_small else "Right, but a rewrite." if passed else "The bug is still at large."
    )
    return {"number": 1, "lines": 1, "lines_max": 10, "is_solved": passed and is_small, "message": said}
