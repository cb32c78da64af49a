"""Which folders make up the tree of a submission: found once by the supervisor, before the zygote starts."""

import re
import sysconfig
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from worker.sandbox.root import Tree

# What CONTRACT.md lets a submission import; their dependencies come along. safetensors carries the results.
ALLOWED = ("torch", "numpy", "einops", "einx", "jaxtyping", "typing_extensions", "safetensors")
_NOT_PACKAGES = ("", "..", "__pycache__", "docs", "test", "tests")  # some distributions leave such folders behind
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)\s*(\[[^\]]*\])?")
_OF_EXTRA = re.compile(r"""extra == ["']([^"']+)["']""")


def standard_tree() -> Tree:
    """The running interpreter's standard library, the allowed packages and the system's shared libraries."""
    libraries = {sysconfig.get_path("stdlib"), sysconfig.get_config_var("DESTSHARED")}
    folders = sorted(folder for folder in libraries if folder and Path(folder).is_dir())
    packages = tuple(sorted(_package_paths(ALLOWED)))
    return Tree(
        folders=(*folders, *_system_library_folders()),
        hidden=tuple(f"{folder}/{name}" for folder in folders for name in ("site-packages", "dist-packages")),
        packages=packages,
        tmp=_tmp((*folders, *packages)),
    )


def package_folders(tree: Tree) -> tuple[str, ...]:
    """The folders to put on the import path."""
    return tuple(sorted({str(Path(package).parent) for package in tree.packages}))


def _tmp(sources: tuple[str, ...]) -> str:
    """Where Python or a package is installed under /tmp, a tmpfs there would hide it."""
    usual = "/tmp"  # noqa: S108  inside the tree
    return "/scratch" if any(Path(source).is_relative_to(usual) for source in sources) else usual


def _system_library_folders() -> tuple[str, ...]:
    multiarch = sysconfig.get_config_var("MULTIARCH") or ""
    candidates = ("/lib64", "/usr/lib64", f"/lib/{multiarch}", f"/usr/lib/{multiarch}")
    return tuple(folder for folder in candidates if Path(folder).is_dir())


def _package_paths(names: tuple[str, ...]) -> set[str]:
    paths: set[str] = set()
    for found in _with_dependencies(names).values():
        site = Path(str(found.locate_file("")))
        paths.update(str(site / entry) for entry in _top_level_entries(found) if (site / entry).exists())
    return paths


def _with_dependencies(names: tuple[str, ...]) -> dict[str, Distribution]:
    """Raises PackageNotFoundError when one of `names` is missing; a missing optional dependency is left out."""
    found = {name: distribution(name) for name in names}
    waiting = [_Wanted(name) for name in names]
    seen = set(waiting)
    while waiting:
        wanted = waiting.pop()
        try:
            found.setdefault(wanted.name, distribution(wanted.name))
        except PackageNotFoundError:
            continue
        new = set(_requirements(found[wanted.name], wanted.extras)) - seen
        waiting += new
        seen |= new
    return found


@dataclass(frozen=True)
class _Wanted:
    """A distribution, and which of its extras: torch asks so for the libraries of CUDA."""

    name: str
    extras: frozenset[str] = frozenset()


def _requirements(found: Distribution, extras: frozenset[str]) -> list[_Wanted]:
    lines = [line for line in found.requires or [] if set(_OF_EXTRA.findall(line)) <= extras]
    matches = (_REQUIREMENT.match(line) for line in lines)
    return [
        _Wanted(match[1].lower().replace("-", "_"), frozenset(re.findall(r"[\w-]+", match[2] or "")))
        for match in matches
        if match
    ]


def _top_level_entries(found: Distribution) -> set[str]:
    """The files and folders that a distribution puts directly into site-packages."""
    record = found.read_text("RECORD") or ""
    first_parts = {line.split(",", 1)[0].split("/", 1)[0].strip('"') for line in record.splitlines()}
    return {part for part in first_parts if part not in _NOT_PACKAGES and not part.endswith(".pth")}
