"""Prints what extras of this project need, as requirements.lock has it: python deploy/dependencies.py [EXTRA ...]

With the hashes of every file, for `pip install --require-hashes`. The base dependencies are always among it. PyTorch is
apart (`--torch`), and so are the libraries of CUDA (`--cuda`), which only the registry's build of it for Linux needs.
Builds for the CPU come from an index of PyTorch's own, with other hashes than the registry's. Those that are known
stand here; any other is taken only by whoever names its SHA-256 in ASSAY_TORCH_SHA256 (several with blanks between).
"""

import os
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TORCH = "torch"
KNOWN_BUILDS = {
    "2.13.0+cpu": ["6746dbcbeb526eb61330b76b41ff1b4eb848951103a892eeb080dfa2b264667b"],  # CPython 3.11, x86_64
}
_OF_CUDA = re.compile(r"cuda-|nvidia-|triton$")
_NAME = re.compile(r"[A-Za-z0-9._-]+")


@dataclass
class Locked:
    """One package of requirements.lock: its lines, and who asks for it."""

    name: str
    version: str
    lines: list[str]
    via: set[str] = field(default_factory=set)


def read(text: str) -> dict[str, Locked]:
    found: dict[str, Locked] = {}
    locked = None
    for line in text.splitlines():
        if match := re.match(r"([A-Za-z0-9._-]+)==([^ ;]+)", line):
            locked = found[match[1]] = Locked(match[1], match[2], [line])
        elif locked and line.startswith("    --hash="):
            locked.lines.append(line)
        elif locked and (who := line.strip(" #").removeprefix("via").strip()):
            locked.via.add(who)
    return found


def closure(locked: dict[str, Locked], roots: Iterable[str]) -> set[str]:
    """With all that they need, that what they need needs, and so on."""
    found: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [other.name for other in locked.values() if name in other.via]
    return found


def roots(project: dict, extras: Iterable[str]) -> Iterator[str]:
    """The names that pyproject.toml gives; an extra may name others of this project."""
    waiting = list(extras)
    lines = list(project["dependencies"])
    while waiting:
        lines += project["optional-dependencies"][waiting.pop()]
        for line in [line for line in lines if line.startswith(f"{project['name']}[")]:
            lines.remove(line)
            waiting += line[line.index("[") + 1 : -1].split(",")
    for line in lines:
        yield _NAME.match(line)[0]


def wanted(extras: Iterable[str]) -> tuple[list[Locked], list[Locked], list[Locked]]:
    """Everything but torch; torch, if it is among it; what its build for CUDA needs besides."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    locked = read((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    asked = set(roots(project, extras))
    needed = [locked[name] for name in sorted(closure(locked, asked))]
    torch = [package for package in needed if package.name == TORCH]
    cuda = [package for package in needed if _OF_CUDA.match(package.name) and package.name not in asked]
    return [package for package in needed if package not in torch + cuda], [_with_builds(t) for t in torch], cuda


def builds(torch: Locked) -> list[Locked]:
    """Of other indexes than the registry's: what was named by its hash, then those that stand here."""
    named = os.environ.get("ASSAY_TORCH_SHA256", "").split()
    known = [(version, hashes) for version, hashes in KNOWN_BUILDS.items() if version.startswith(f"{torch.version}+")]
    return [
        Locked(TORCH, version, [f"{TORCH}=={version}", *(f"    --hash=sha256:{digest}" for digest in hashes)])
        for version, hashes in [(torch.version, named), *known]
        if hashes
    ]


def _with_builds(torch: Locked) -> Locked:
    others = [line for build in builds(torch) for line in build.lines[1:]]
    return Locked(torch.name, torch.version, [*(line.removesuffix(" \\") for line in torch.lines), *others])


def text(packages: Iterable[Locked]) -> str:
    """As pip reads it."""
    return "".join(" \\\n".join(line.removesuffix(" \\") for line in package.lines) + "\n" for package in packages)


if __name__ == "__main__":
    plain, torch, cuda = wanted(word for word in sys.argv[1:] if not word.startswith("--"))
    print(text(torch if "--torch" in sys.argv else cuda if "--cuda" in sys.argv else plain), end="")
