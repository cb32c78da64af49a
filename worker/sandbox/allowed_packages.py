"""Which folders make up the tree of a submission: found once by the supervisor, before the zygote starts."""

import re
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from worker.sandbox.layout import HOME, LIBRARIES, PACKAGES, Piece, Tree

# What CONTRACT.md lets a submission import; their dependencies come along. safetensors carries the results, and
# torch.einsum takes its way from opt_einsum.
ALLOWED = ("torch", "numpy", "einops", "einx", "jaxtyping", "typing_extensions", "safetensors", "opt_einsum")
_SYSTEMS_PREFIXES = ("/usr", "/usr/local")
_NOT_PACKAGES = ("", "..", "__pycache__", "docs", "test", "tests")  # some distributions leave such folders behind
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)\s*(\[[^\]]*\])?")
_OF_EXTRA = re.compile(r"""extra == ["']([^"']+)["']""")


def standard_tree() -> Tree:
    """Finds the running interpreter's standard library, the allowed packages and the system's shared libraries.

    Those of the system stay where they are: their loader has its own paths built in.
    """
    stdlib = Path(sysconfig.get_path("stdlib"))
    home = f"{HOME}/{sys.platlibdir}/{stdlib.name}"  # where Python looks, seen from its own place
    system = _system_library_folders()
    unwanted = ("site-packages", "dist-packages", *(path.name for path in stdlib.glob("config-*")))
    return Tree(
        libraries=(
            Piece(str(stdlib), home),
            *(Piece(str(library), f"{LIBRARIES}/{library.name}") for library in _pythons_libraries()),
            *(Piece(folder, folder) for folder in system),
        ),
        hidden=tuple(f"{home}/{name}" for name in unwanted),
        packages=tuple(_package_pieces(ALLOWED)),
    )


def _pythons_libraries() -> list[Path]:
    """Shared ones that Python finds beside itself: its own, and all of them where it is a distribution of its own."""
    folder = Path(str(sysconfig.get_config_var("LIBDIR")))
    if folder.parent == Path(sys.base_prefix) and str(folder.parent) not in _SYSTEMS_PREFIXES:
        return sorted(folder.glob("*.so*"))
    return sorted(folder.glob("libpython*.so*")) if sysconfig.get_config_var("Py_ENABLE_SHARED") else []


def _system_library_folders() -> tuple[str, ...]:
    multiarch = sysconfig.get_config_var("MULTIARCH") or ""
    candidates = ("/lib64", "/usr/lib64", f"/lib/{multiarch}", f"/usr/lib/{multiarch}")
    return tuple(folder for folder in candidates if Path(folder).is_dir())


def _package_pieces(names: tuple[str, ...]) -> Iterator[Piece]:
    """A folder for each that packages are installed into: mostly there is one, and packages may share names."""
    entries: dict[Path, set[str]] = {}
    for found in _with_dependencies(names).values():
        entries.setdefault(Path(str(found.locate_file(""))), set()).update(_top_level_entries(found))
    for number, (site, wanted) in enumerate(sorted(entries.items())):
        folder = f"{PACKAGES}{number or ''}"
        yield from (
            Piece(str(site / entry), f"{folder}/{entry}") for entry in sorted(wanted) if (site / entry).exists()
        )


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
