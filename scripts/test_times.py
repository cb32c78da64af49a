"""Writes what tests took: tests/seconds.json, from which their order follows, and the tables of docs/testing.md.

python -m scripts.test_times build/tests.xml [...] (or `make test-times`, after `make test`)
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from tests.chosen import long_files

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "testing.md"
SECONDS: Final = ROOT / "tests" / "seconds.json"
MARK: Final = "<!-- What follows is written by `make test-times`. -->\n"
SLOWEST: Final = 20


def main(reports: Sequence[Path]) -> None:
    """From the JUnit files of one or more runs of pytest: of a test that is in several, the last one counts."""
    newest = {(file, name): seconds for report in reports for file, name, seconds in tests_of(report)}
    took = [(file, name, seconds) for (file, name), seconds in newest.items()]
    by_file = Counter[str]()
    for file, _, seconds in took:
        by_file[file] += seconds
    known = {file: seconds for file, seconds in json.loads(SECONDS.read_text()).items() if (ROOT / file).exists()}
    told = dict(sorted((known | {file: round(seconds, 1) for file, seconds in by_file.items()}).items()))
    SECONDS.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    before, mark, _ = PAGE.read_text(encoding="utf-8").partition(MARK)
    PAGE.write_text(before + mark + "\n".join(tables(took)) + "\n", encoding="utf-8")


def tests_of(report: Path) -> Iterator[tuple[str, str, float]]:
    """File, name and seconds of each test that ran, with what it had made ready and cleared away."""
    for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314  our own run wrote it
        if not case.get("classname") or case.find("skipped") is not None:
            continue  # the former: a whole file that was skipped or could not be read
        yield f"{case.attrib['classname'].replace('.', '/')}.py", case.attrib["name"], float(case.attrib["time"])


def tables(took: Sequence[tuple[str, str, float]]) -> Iterator[str]:
    """By folder, the long files, and the slowest tests."""
    folders, counts = Counter[str](), Counter[str]()
    for file, _, seconds in took:
        folder = file.rpartition("/")[0]
        folders[folder] += seconds
        counts[folder] += 1
    yield from ("", "| Folder | Tests | Seconds |", "| --- | ---: | ---: |")
    for folder, seconds in folders.most_common():
        yield f"| `{folder}` | {counts[folder]} | {seconds:.0f} |"
    yield f"| in all | {len(took)} | {sum(folders.values()):.0f} |"
    files = Counter[str]()
    for file, _, seconds in took:
        files[file] += seconds
    yield from ("", "The long files:", "", "| File | Seconds |", "| --- | ---: |")
    yield from (
        f"| `{file}` | {files[file]:.0f} |" for file in sorted(long_files(files), key=lambda file: -files[file])
    )
    yield from ("", f"The slowest {SLOWEST}:", "", "| Test | Seconds |", "| --- | ---: |")
    for file, name, seconds in sorted(took, key=lambda test: -test[2])[:SLOWEST]:
        cell = name.replace("|", "\\|")
        yield f"| `{file}::{cell}` | {seconds:.1f} |"


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]])
