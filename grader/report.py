"""The report, `assay.report/1`: the one thing that leaves the grader. Knows no torch: every program can read it."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from grader.efficiency_report import Efficiency
from grader.report_part import Part

SCHEMA: Literal["assay.report/1"] = "assay.report/1"


class Verdict(StrEnum):
    """What we conclude about a submission as a whole."""

    PASSED = "passed"  # every required test and rule holds
    FAILED = "failed"  # it ran, and is wrong or breaks a rule
    REJECTED = "rejected"  # not gradable as sent, or not filled in
    ERROR = "error"  # it crashed, was killed or broke the protocol
    TIMEOUT = "timeout"  # it used up its time


class TestStatus(StrEnum):
    """How one test ended."""

    __test__ = False  # pytest: this is not a test class

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    TIMEOUT = "timeout"
    SKIPPED = "skipped"

    @property
    def is_failure(self) -> bool:
        """Whether the test ran and did not pass."""
        return self not in (TestStatus.PASSED, TestStatus.SKIPPED)


class Visibility(StrEnum):
    """When a student may read a test's message and metrics (Gradescope's words)."""

    PUBLIC = "public"
    HIDDEN = "hidden"
    AFTER_DUE_DATE = "after_due_date"
    AFTER_PUBLISHED = "after_published"


class RuleStatus(StrEnum):
    """Whether a rule about how the code is written holds."""

    PASSED = "passed"
    FAILED = "failed"


class ChallengeRef(Part):
    """The challenge that was graded, as it was then."""

    slug: str
    version: str = Field(description="content hash of the challenge folder")


class SubmissionRef(Part):
    """The uploaded file, by name and content."""

    filename: str
    sha256: str


class ErrorMap(Part):
    """Where an output differs: the largest error of each cell of (sequence x features), over all other axes.

    A digit says how large: 0 is within the tolerance, 9 the largest there is. Where there are more positions or
    features than cells, neighbours share one, the first cells one more than the last.
    """

    positions: int
    features: int
    cells: tuple[str, ...] = Field(max_length=16, description="a row for each position, a digit for each feature")
    heads: str = Field(default="", max_length=32, description="a digit for each head, where it can be told")


class TestResult(Part):
    """One test of the paper. `group` is the case family, which carries the points."""

    __test__ = False

    id: str
    group: str
    title: str
    status: TestStatus
    score: float
    max_score: float
    visibility: Visibility
    message: str = ""
    metrics: dict[str, float] = Field(default_factory=dict)
    error_map: ErrorMap | None = Field(default=None, description="of a family's first public test that is partly wrong")


def untold(tests: tuple[TestResult, ...], released: frozenset[Visibility] = frozenset()) -> tuple[TestResult, ...]:
    """The tests; of those that are not released, all that may be told: status and score."""
    nothing: dict[str, object] = {"message": "", "metrics": {}, "error_map": None}
    return tuple(test if test.visibility in released else test.model_copy(update=nothing) for test in tests)


class Diagnosis(Part):
    """A misconception that explains what was seen. `id` comes from CONTRACT.md's list."""

    id: str
    title: str
    explanation: str
    evidence: str
    line: int | None = None
    file: str | None = Field(default=None, description="the sibling module, or cell of a notebook, that `line` is in")
    tests: tuple[str, ...] = Field(default=(), description="ids of the failing tests that it explains")
    patch: str | None = Field(default=None, description="a unified diff that mends it, where one could be made")
    in_some_calls: bool = Field(default=False, description="it is made in some calls only: the title alone says more")


class Breakdown(Part):
    """An exception in one place, or a function that returns nothing, that keeps most failing tests from any result."""

    message: str = Field(description="where and what")
    meaning: str = Field(default="", description="what that tells about the code")
    line: int | None = None
    file: str | None = Field(default=None, description="the sibling module, or cell of a notebook, that `line` is in")
    tests: tuple[str, ...] = Field(default=(), description="ids of the tests that end there")


class RuleFinding(Part):
    """One rule about how the code is written, and whether it holds."""

    rule: str
    status: RuleStatus
    line: int | None = None
    file: str | None = Field(default=None, description="the sibling module, or cell of a notebook, that `line` is in")
    message: str


def look_at(line: int, file: str | None) -> str:
    """The sentence that a summary ends with where a finding says the rest; by it, `Report.place` knows the line."""
    return f"Look at {where_in(line, file)}."


def where_in(line: int, file: str | None) -> str:
    """A line in words, with the file it is in where that is not the uploaded one."""
    return f"{file.rpartition('/')[2]}, line {line}" if file else f"line {line}"


class Remark(Part):
    """Worth knowing, and costs nothing: where the exercise is silent, we warn and never fail."""

    id: str
    message: str


EXAMPLE = "There is a small example that fails in the same way."


class Guidance(Part):
    """Where to look first, when something failed."""

    first_wrong: str | None = Field(default=None, description="the entry point that is wrong while its parts are right")
    message: str = Field(description="one or two sentences to the student")
    line: int | None = Field(default=None, description="where a mistake without a name begins")
    file: str | None = Field(default=None, description="the sibling module, or cell of a notebook, that `line` is in")
    snippet: str | None = Field(default=None, description="the smallest case that fails, to run beside the submission")


class Forgeable(Part):
    """Tests that ran beside the submission, which can change their outcome: nothing of them is in the score."""

    score: float
    max_score: float
    tests: tuple[TestResult, ...] = Field(description="`group` is the file")

    def untold(self, released: frozenset[Visibility] = frozenset()) -> "Forgeable":
        """Without what tests say that are not released."""
        return self.model_copy(update={"tests": untold(self.tests, released)})


class Environment(Part):
    """What the submission ran on."""

    torch: str
    device: str
    sandbox: str


class Timings(Part):
    """Seconds. `queued_s` is filled in by whoever knows when the submission arrived."""

    queued_s: float = 0.0
    sandbox_s: float = 0.0
    total_s: float = 0.0


class Report(Part):
    """What a submission earned and why."""

    schema_: Literal["assay.report/1"] = Field(default=SCHEMA, alias="schema")
    challenge: ChallengeRef
    submission: SubmissionRef
    verdict: Verdict
    score: float
    max_score: float
    summary: str = Field(description="one sentence to the student")
    seed: int | None = Field(default=None, description="replays the paper exactly: assay grade --seed")
    tests: tuple[TestResult, ...] = ()
    breakdown: Breakdown | None = Field(default=None, description="comes before all diagnoses")
    diagnoses: tuple[Diagnosis, ...] = ()
    structure: tuple[RuleFinding, ...] = ()
    guidance: Guidance | None = None
    remarks: tuple[Remark, ...] = ()
    efficiency: Efficiency | None = None
    forgeable: Forgeable | None = Field(default=None, description="apart from all the rest; failing may fail it")
    environment: Environment
    timings: Timings = Timings()

    @property
    def place(self) -> tuple[int, str | None] | None:
        """The line that the summary speaks of, and the sibling module that it is in, if it names one."""
        helped = None if self.diagnoses else self.guidance
        found = self.breakdown or next(filter(self._is_told, self.structure), None) or helped
        return None if found is None or found.line is None else (found.line, found.file)

    def _is_told(self, finding: RuleFinding) -> bool:
        """Whether the summary is what it says, or ends with its line."""
        ends = finding.line is not None and self.summary.endswith(look_at(finding.line, finding.file))
        return ends or finding.message == self.summary

    @property
    def line_to_look_at(self) -> tuple[int, str | None] | None:
        """The same, also where the first idea is what the summary tells."""
        ideas = ((idea.line, idea.file) for idea in self.diagnoses[:1] if idea.line is not None)
        return self.place or next(ideas, None)

    @property
    def where_to_look(self) -> str:
        """What the guidance says that the summary has not said."""
        if self.guidance is None:
            return ""
        said = self.guidance.message.removesuffix(EXAMPLE).strip()
        return self.guidance.message.removeprefix(said).strip() if said in self.summary else self.guidance.message

    @property
    def explained(self) -> frozenset[str]:
        """Ids of failing tests that fail for a reason which is told."""
        causes = (self.breakdown, *self.diagnoses)
        return frozenset(test for cause in causes if cause is not None for test in cause.tests)

    def to_json(self) -> str:
        """One line of JSON, with the contract's names."""
        return self.model_dump_json(by_alias=True)

    def for_student(self, released: frozenset[Visibility] = frozenset({Visibility.PUBLIC})) -> "Report":
        """The same report without what tests say that the student may not read yet.

        The seed is left out too: whoever holds it can draw the hidden cases.
        """
        forgeable = self.forgeable and self.forgeable.untold(released)
        return self.model_copy(update={"tests": untold(self.tests, released), "forgeable": forgeable, "seed": None})
