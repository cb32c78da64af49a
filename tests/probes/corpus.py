"""The probes as submissions to mha-rope: what each asks of the sandbox, and what must come of it. Read from the files.

A probe lies in `tests/probes/<kind>/<name>.py`. Its docstring says in one line what it asks, and in the next the
verdicts that are right (`Expect: error`, `Expect: failed|error`, `Expect: not passed`). Comments behind it say more:
`# layer:` which layers stop it, `# open: works` that an ordinary process gets what is asked for (a test proves it),
`# surface` that getting it is no escape by itself, so that another sandbox may allow it.

Knows no sandbox: whoever has an executor can put the corpus to it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path

from grader.challenge import Challenge, load_challenges
from grader.guest.execution import Executor
from grader.grade import grade
from grader.report import Report, Verdict
from grader.guest.submission import Submission

FOLDER = Path(__file__).parent
SEED = 7
CHALLENGE = "mha-rope"
NOT_PASSED = "not passed"
# Short for what never ends, so that it need not be waited for. Long for what ends by itself: who reads a gigabyte of
# libraries waits for a busy disk, and no time is given back for that. Small, so that what takes all it can get takes little.
HURRIED_S, PATIENT_S = 1.0, 180.0
MEMORY_MIB, TMP_MIB = 256, 8
LAYERS = {
    "namespaces": "user, pid, mount, network, ipc, uts and cgroup namespaces of its own",
    "root": "a read-only tree of libraries and two devices, without /proc, /etc and the project",
    "landlock": "Landlock: reading in the tree, writing in the own /tmp, no TCP, no signal outside",
    "seccomp": "an allow-list of system calls",
    "privileges": "no capability, no user but its own, no new privileges",
    "rlimits": "resource limits on memory, time, threads, descriptors and files",
    "tmpfs": "a small /tmp of its own that ends with it",
    "zygote": "a child that is forked from a clean process, with a hand-written environment and five descriptors",
    "supervisor": "the runner's clock, byte counters and SIGKILL",
    "framing": "length-prefixed frames, as many answers as questions",
    "judge": "the verdict is made outside, from bytes, against a reference that never goes in",
    "inspection": "the source is read in a bounded child before it is run",
}

BROKEN = "the probe itself is broken"


class Kind(StrEnum):
    ACCESS = "access"
    FORGERY = "forgery"
    LIMITS = "limits"
    AFTERWARDS = "afterwards"


@dataclass(frozen=True)
class Probe:
    """One file. `expected` are verdicts, or nothing where any verdict but `passed` will do."""

    kind: Kind
    name: str
    asks: str
    expected: frozenset[Verdict]
    layers: tuple[str, ...]
    works_in_the_open: bool
    is_surface: bool
    source: str

    @property
    def id(self) -> str:
        return f"{self.kind.value}/{self.name}"

    @property
    def asks_for_something(self) -> bool:
        """Whether it is a right answer that comes only if something forbidden worked."""
        return "def forbidden(" in self.source


def probes(*kinds: Kind) -> Iterator[Probe]:
    """Of these kinds, by name."""
    for kind in kinds or Kind:
        for path in sorted((FOLDER / kind.value).glob("*.py")):
            yield _probe(kind, path)


def _probe(kind: Kind, path: Path) -> Probe:
    source = path.read_text()
    match = re.match(r'"""(?P<asks>[^\n]+)\nExpect: (?P<expected>[a-z| ]+)\n"""\n(?P<notes>(?:# [^\n]+\n)+)', source)
    if match is None:
        raise ValueError(f"{path}: a probe starts with what it asks, what to expect, and the layer that stops it")
    notes = dict(note[2:].partition(":")[::2] for note in match["notes"].splitlines())
    return Probe(
        kind=kind,
        name=path.stem,
        asks=match["asks"],
        expected=frozenset()
        if match["expected"] == NOT_PASSED
        else frozenset(map(Verdict, match["expected"].split("|"))),
        layers=tuple(layer.strip() for layer in notes["layer"].split(",")),
        works_in_the_open=notes.get("open", "").strip() == "works",
        is_surface="surface" in notes,
        source=source,
    )


# --- submissions -----------------------------------------------------------------------------------------------------


def submission_of(probe: Probe) -> Submission:
    """The probe as it is put to the sandbox."""
    if probe.kind is Kind.AFTERWARDS:
        return _submission("prelude", probe, "def forbidden():\n    return find()\n", "gate", "solution")
    if probe.kind is Kind.FORGERY:
        return _submission("wrong", probe)
    if probe.asks_for_something:
        return _submission("prelude", probe, "gate", "solution")
    return _submission("prelude", "solution", probe)


def granted(probe: Probe) -> Submission:
    """The same, as if it had got what it asks for: it must pass, or `passed` would be no sign of anything."""
    return _submission("prelude", probe, "def forbidden():\n    return True\n", "gate", "solution")


def leaving(probe: Probe) -> Submission:
    """The first of a pair: it leaves its trace, if it can, and is right."""
    attempt = "try:\n    leave()\nexcept OSError:\n    pass\n"
    return _submission("prelude", probe, attempt, "solution")


def leaving_and_finding(probe: Probe) -> Submission:
    """Both of a pair in one: a trace that it cannot find even here would prove nothing."""
    return _submission("prelude", probe, "def forbidden():\n    leave()\n    return find()\n", "gate", "solution")


def alone(probe: Probe) -> str:
    """A program that ends with status 0 if it gets what it asks for, without any sandbox."""
    leave = "leave()" if probe.kind is Kind.AFTERWARDS else ""
    ask = "find()" if probe.kind is Kind.AFTERWARDS else "forbidden()"
    return "\n".join((_part("prelude"), probe.source, leave, f"os._exit(0 if {ask} else 1)\n"))


def right() -> Submission:
    """A submission that wants nothing and must pass."""
    return _submission("solution")


def wrong() -> Submission:
    """What stands before every forgery, without the forgery."""
    return _submission("wrong")


def _submission(*parts: "str | Probe") -> Submission:
    main = challenge().manifest.default_path
    texts = (part.source if isinstance(part, Probe) else part if "\n" in part else _part(part) for part in parts)
    return Submission(main, {main: "\n\n".join(texts).encode()})


@cache
def _part(name: str) -> str:
    return (FOLDER / f"{name}.py").read_text()


# --- verdicts --------------------------------------------------------------------------------------------------------


def grade_probe(probe: Probe, executor: Executor) -> Report:
    """The report on a probe; before the second of a pair, the first has its turn."""
    if probe.kind is Kind.AFTERWARDS:
        executor.run(leaving(probe), (), challenge().manifest.session_limits)
    return grade_under_limits(submission_of(probe), executor, is_hurried=Verdict.TIMEOUT in probe.expected)


def grade_under_limits(submission: Submission, executor: Executor, *, is_hurried: bool = False) -> Report:
    return grade(challenge(HURRIED_S if is_hurried else PATIENT_S), submission, SEED, executor)


def deviation(probe: Probe, report: Report) -> str | None:
    """How the report differs from what the probe must get, in words; None when it does not."""
    if report.verdict is Verdict.PASSED and Verdict.PASSED not in probe.expected:
        return f"BREACH: it {probe.asks[:1].lower()}{probe.asks[1:]}"
    if not _can_be_told(report):
        return "its texts cannot be stored or shown"
    if probe.expected and report.verdict not in probe.expected:
        return f"{report.verdict}, not {'|'.join(sorted(probe.expected))}: {report.summary}"
    if re.search("raise[sd] (AttributeError|NameError)", report.summary):
        return f"{BROKEN}, of what it attacks something has another name now: {report.summary}"
    if probe.asks_for_something and not probe.expected and "Refused" not in report.summary:
        return f"{BROKEN}: {report.verdict}: {report.summary}"
    return None


def _can_be_told(report: Report) -> bool:
    """Whether a database takes the report, and a terminal only shows it."""
    try:
        told = report.to_json()
    except ValueError:
        return False
    return re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufffe\uffff]|\\u00[01]", told) is None


@cache
def challenge(wall_s: float = PATIENT_S) -> Challenge:
    """The exercise under the limits of the corpus."""
    found = load_challenges()[CHALLENGE]
    small = {"wall_s": wall_s, "cpu_s": wall_s, "memory_mib": MEMORY_MIB, "tmp_mib": TMP_MIB}
    limits = found.manifest.limits.model_copy(update=small)
    return replace(found, manifest=found.manifest.model_copy(update={"limits": limits}))


# --- the index in docs/threat-model.md -------------------------------------------------------------------------------


def index() -> str:
    """A table of all probes, by kind and by the layer that comes first for them."""
    lines = []
    for kind in Kind:
        found = tuple(probes(kind))
        lines += [f"### {kind.value.capitalize()}: {len(found)} probes", ""]
        for layer in LAYERS:
            mine = [f"`{probe.name}`" for probe in found if probe.layers[0] == layer]
            lines += [f"* **{layer}** ({len(mine)}): {', '.join(mine)}"] if mine else []
        lines.append("")
    return "\n".join(lines).strip()
