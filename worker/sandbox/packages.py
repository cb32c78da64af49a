"""Which folders make up the tree of a submission: found once by the supervisor, before the zygote starts."""

import re
import sysconfig
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from worker.sandbox.root import Tree

# What CONTRACT.md lets a submission import; their dependencies come along. safetensors carries the results.
ALLOWED = ("torch", "numpy", "einops", "einx", "jaxtyping", "typing_extensions", "safetensors")
_NOT_PACKAGES = ("", "..", "__pycache__", "docs", "test", "tests")  # some distributions leave such folders behind
_REQUIREMENT_NAME = re.compile(r"[A-Za-z0-9._-]+")


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
    waiting = list(found.values())
    while waiting:
        for name in _requirements(waiting.pop()):
            if name not in found:
                try:
                    found[name] = distribution(name)
                except PackageNotFoundError:
                    continue
                waiting.append(found[name])
    return found


def _requirements(found: Distribution) -> list[str]:
    wanted = [line for line in found.requires or [] if "extra ==" not in line]
    matches = (_REQUIREMENT_NAME.match(line) for line in wanted)
    return [match.group().lower().replace("-", "_") for match in matches if match]


def _top_level_entries(found: Distribution) -> set[str]:
    """The files and folders that a distribution puts directly into site-packages."""
    record = found.read_text("RECORD") or ""
    first_parts = {line.split(",", 1)[0].split("/", 1)[0].strip('"') for line in record.splitlines()}
    return {part for part in first_parts if part not in _NOT_PACKAGES and not part.endswith(".pth")}
