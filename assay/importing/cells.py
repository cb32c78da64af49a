"""The cells of a notebook, within bounds: it is JSON of whoever wrote it. Standard library only."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from assay.importing.assignment import ImportRefusedError

FILE_BYTES: Final = 16 << 20
CELLS_MAX: Final = 2000
CELL_CHARACTERS: Final = 64_000


@dataclass(frozen=True)
class Cell:
    """One cell; `number` counts all of them from 1. `result` is what its last line gave when the notebook was saved."""

    number: int
    kind: str
    text: str
    nbgrader: Mapping[str, Any]
    result: str | None = None

    @property
    def where(self) -> str:
        """The words by which a reader finds the cell."""
        return f"cell {self.number}"


def read_bounded(path: Path) -> bytes:
    """The file's bytes. Raises ImportRefusedError where it is too large or cannot be read."""
    try:
        with path.open("rb") as file:
            content = file.read(FILE_BYTES + 1)
    except OSError as error:
        raise ImportRefusedError(f"{path} cannot be read: {error.strerror}.") from error
    if len(content) > FILE_BYTES:
        raise ImportRefusedError(
            f"{path} has more than {FILE_BYTES >> 20} MiB. Clear the outputs that hold pictures or data, and save it."
        )
    return content


def read_cells(path: Path) -> list[Cell]:
    """The cells of a notebook of format 4. Raises ImportRefusedError."""
    content = read_bounded(path)
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ImportRefusedError(f"{path} is no notebook: it is not JSON.") from error
    cells = found.get("cells") if isinstance(found, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise ImportRefusedError(f"{path} is no notebook of format 4: it has no list of cells. Open and save it again.")
    if len(cells) > CELLS_MAX:
        raise ImportRefusedError(f"{path} has {len(cells)} cells; the limit is {CELLS_MAX}.")
    return [_cell(number, cell) for number, cell in enumerate(cells, start=1)]


def _cell(number: int, cell: dict[str, Any]) -> Cell:
    text = _joined(cell.get("source"))
    if len(text) > CELL_CHARACTERS:
        raise ImportRefusedError(f"Cell {number} has {len(text):,} characters; the limit is {CELL_CHARACTERS:,}.")
    metadata = cell.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    return Cell(
        number=number,
        kind=str(cell.get("cell_type")),
        text=text,
        nbgrader=nbgrader if isinstance(nbgrader, dict) else {},
        result=next(_results(cell), None),
    )


def _results(cell: dict[str, Any]) -> Iterator[str]:
    outputs = cell.get("outputs")
    for output in outputs if isinstance(outputs, list) else ():
        data = output.get("data") if isinstance(output, dict) else None
        if isinstance(data, dict) and output.get("output_type") == "execute_result":
            yield _joined(data.get("text/plain"))


def _joined(lines: Any) -> str:
    """Notebooks hold a text as such, or as a list of lines."""
    whole = "".join(line for line in lines if isinstance(line, str)) if isinstance(lines, list) else lines
    if not isinstance(whole, str):
        return ""
    return whole.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "replace").decode()
