"""`challenge.toml` as data: what is set, what it is worth, what may be used. Knows no torch."""

from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Self

from pydantic import Field, ValidationError, ValidationInfo, field_validator, model_validator

from grader.guest.inspection import EntryKind, EntryPoint, SourceRules
from grader.guest.limits import Limits
from grader.report import TestResult, Visibility
from grader.toml_complaints import TomlSection, complaints
from grader.toml_text import NotTomlError, TomlText

STRUCTURE = "structure"  # the group of the tests in which rules earn their points


class ManifestError(Exception):
    """The challenge folder is not a challenge: the author's mistake, told in a sentence."""


class ManifestSection(TomlSection, allow_inf_nan=False):
    """A part of `challenge.toml`, whose numbers are finite."""


class EntryPointSection(ManifestSection):
    """What the submission must define. The last `optional` of the parameters have defaults."""

    name: str
    parameters: tuple[str, ...] = Field(description="of a class, those of __init__ without self")
    optional: int = 0
    keywords: tuple[str, ...] = Field(default=(), description="parameters that are given by name only")
    kind: EntryKind = EntryKind.FUNCTION
    methods: tuple[str, ...] = Field(default=(), description="what a class must define or inherit")

    @model_validator(mode="after")
    def _has_as_many_parameters(self) -> Self:
        if not 0 <= self.optional <= len(self.parameters):
            message = f"`optional` of {self.name} is {self.optional}, and `parameters` has only {len(self.parameters)}"
            raise ValueError(message)
        return self

    @property
    def signature(self) -> str:
        """The parameters as a definition has them, `...` for a default."""
        required = len(self.parameters) - self.optional
        shown = [name if place < required else f"{name}=..." for place, name in enumerate(self.parameters)]
        return ", ".join([*shown, "*", *self.keywords] if self.keywords else shown)


class SourceSection(ManifestSection):
    """What the uploaded source must define and may use."""

    main: str = Field(description="the entry point that the rules about structure speak of")
    heads_parameter: str | None = None
    modules: tuple[str, ...] = Field(description="importable besides the standard library")
    forbidden_calls: tuple[str, ...] = Field(
        default=(), description="library functions, by last name, which a rule that forbids the library speaks of"
    )
    forbidden_kernels: tuple[str, ...] = Field(
        default=(), description="parts of the names of torch's operations that those functions are made of"
    )
    max_bytes: int = 256 * 1024


class LimitsSection(ManifestSection):
    """What one session in the sandbox may use."""

    wall_s: float = Field(default=10.0, gt=0, le=3600)
    cpu_s: float = Field(default=10.0, gt=0, le=3600)
    memory_mib: int = Field(default=1024, gt=0, le=1 << 20)
    processes: int = Field(default=16, gt=0, le=4096)
    tmp_mib: int = Field(default=16, gt=0, le=1 << 20)
    output_mib: int = Field(default=64, gt=0, le=1 << 10)


class Family(ManifestSection):
    """A case family: what a student would recognise as one thing that is tested."""

    title: str
    points: float = Field(ge=0)
    visibility: Visibility = Visibility.HIDDEN
    required: bool = True


class ForgeableTests(ManifestSection):
    """A file of tests that runs beside the submission, which shares the process and can change their outcome."""

    title: str
    points: float = Field(ge=0, description="counted apart: in no score but that of these tests")
    visibility: Visibility = Visibility.HIDDEN
    required: bool = True


class Forbidden(StrEnum):
    """What a rule may forbid."""

    LOOP = "loop"  # work that grows with the number of heads
    LIBRARY = "library"  # the library's own solution, as `source` names it


class Rule(ManifestSection):
    """A rule about how the code is written, and the sentence shown when it is broken. It says one of three things."""

    title: str
    message: str
    points: float = Field(ge=0)
    required: bool = True
    forbids: Forbidden | None = None
    part: str | None = Field(default=None, description="the entry point that the main one must make use of")
    cases: tuple[str, ...] = Field(default=(), description="the cases that must pass, by their ids in the paper")

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if [self.forbids is None, self.part is None, not self.cases].count(False) != 1:
            raise ValueError(f"the rule {self.title!r} needs one of `forbids`, `part` and `cases`")
        return self


class Step(ManifestSection):
    """A step of the reference, and how to find it in a student's code: names that give it away, first or last use."""

    signs: tuple[str, ...]
    last: bool = False


def plain_title(name: str) -> str:
    """Names a group of tests, or a rule, for which no manifest has a title."""
    return "Rules" if name == STRUCTURE else name.replace("-", " ").capitalize()


def rule_test_id(name: str) -> str:
    """The id of the test in which a rule earns its points."""
    return f"{STRUCTURE}/{name}"


class Manifest(ManifestSection):
    """The whole of `challenge.toml`; docs/challenges.md explains each key."""

    extends: str | None = Field(default=None, description="the challenge whose files these redefine")
    without: tuple[str, ...] = Field(default=(), description="misconceptions of that challenge that make no sense here")
    title: str
    summary: str
    upload: str = Field(description="the file name that a student uploads")
    default_path: str = Field(description="where that file lies in a student's project, as a module path")
    baseline: str = Field(description="the accepted variant whose time and memory are the measure of efficiency")
    entry_points: tuple[EntryPointSection, ...]
    source: SourceSection
    limits: LimitsSection = LimitsSection()
    families: dict[str, Family]
    rules: dict[str, Rule] = Field(default_factory=dict)
    forgeable: dict[str, ForgeableTests] = Field(default_factory=dict, description="by the name of the file in tests/")
    steps: dict[str, Step] = Field(default_factory=dict, description="steps that misconceptions redefine")
    misreadings: dict[str, str] = Field(
        default_factory=dict,
        description="misconception -> family: this reading loses that family, and is the measure in the others",
    )

    @field_validator("upload", "default_path")
    @classmethod
    def _lies_within(cls, path: str) -> str:
        """What is read beside the starter, and where students' machines write."""
        is_strange = not path.isprintable() or set(path) & set('":\\') or {"/", ".."} & {*PurePosixPath(path).parts}
        if is_strange or not path.endswith(".py"):
            message = f"{path[:60]!r} is no path of a Python file within a project: write one such as `layers.py`"
            raise ValueError(message)
        return path

    @field_validator("source")
    @classmethod
    def _main_is_an_entry_point(cls, source: SourceSection, info: ValidationInfo) -> SourceSection:
        names = [entry.name for entry in info.data.get("entry_points", ())]
        if names and source.main not in names:
            message = f"`main` of [source] is {source.main!r}, which is no entry point: write {' or '.join(names)}"
            raise ValueError(message)
        return source

    @property
    def cases_of_rules(self) -> set[str]:
        """The ids of all cases that some rule is about."""
        return {case for rule in self.rules.values() for case in rule.cases}

    def rule_that_forbids(self, forbidden: Forbidden) -> str | None:
        """Its name, where there is one."""
        return next((name for name, rule in self.rules.items() if rule.forbids is forbidden), None)

    @property
    def max_score(self) -> float:
        """The points of all families and rules. Those of forgeable tests are counted apart."""
        families = sum(family.points for family in self.families.values())
        return families + sum(rule.points for rule in self.rules.values())

    def requires(self, test: TestResult) -> bool:
        """Whether passing takes this test, or it costs points only."""
        family = self.families.get(test.group)
        if family is not None:
            return family.required
        return next(rule.required for name, rule in self.rules.items() if rule_test_id(name) == test.id)

    @property
    def source_rules(self) -> SourceRules:
        """What the source reader looks for."""
        return SourceRules(
            main=self.source.main,
            entry_points=tuple(EntryPoint(**entry.model_dump()) for entry in self.entry_points),
            modules=self.source.modules,
            forbidden_calls=self.source.forbidden_calls,
            heads_parameter=self.source.heads_parameter,
            source_bytes=self.source.max_bytes,
            landmarks=tuple(sorted({sign for step in self.steps.values() for sign in step.signs})),
        )

    @property
    def session_limits(self) -> Limits:
        """What the sandbox enforces."""
        return Limits(
            wall_s=self.limits.wall_s,
            cpu_s=self.limits.cpu_s,
            memory_bytes=self.limits.memory_mib << 20,
            processes=self.limits.processes,
            tmp_bytes=self.limits.tmp_mib << 20,
            output_bytes=self.limits.output_mib << 20,
        )


def read_manifest(path: Path) -> Manifest:
    """Raises ManifestError with the file and the place when it is missing, not TOML, or has a key we do not know.

    A manifest that extends another takes over every top-level key that it does not give itself.
    """
    own = _read_toml(path)
    base = _read_base(own, path) if "extends" in own.data else None
    try:
        return Manifest.model_validate((base.data if base else {}) | own.data)
    except ValidationError as error:
        raise ManifestError(complaints(error, own, Manifest)) from error


def _read_toml(path: Path) -> TomlText:
    try:
        file = TomlText.read(path)
        assert file.data is not None  # read now: an author hears of a slip at the start
    except FileNotFoundError as error:
        raise ManifestError(f"{path} is missing: a challenge folder starts with it") from error
    except NotTomlError as error:
        raise ManifestError(str(error)) from error
    return file


def _read_base(own: TomlText, path: Path) -> TomlText:
    slug = own.data["extends"]
    base = path.parents[1] / str(slug) / path.name
    if slug not in [folder.name for folder in path.parents[1].iterdir()] or not base.is_file():
        message = f"{own.at('extends')}: it extends {str(slug)[:60]!r}, and there is no such challenge beside it"
        raise ManifestError(message)
    file = _read_toml(base)
    if "extends" in file.data:
        message = f"{own.at('extends')}: it extends {slug}, which extends another challenge itself; one step is allowed"
        raise ManifestError(message)
    return file
