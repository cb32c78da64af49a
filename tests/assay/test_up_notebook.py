"""A student's notebook, run cell by cell as Jupyter does, against a running service."""

import json
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from grader.challenge import load_challenges
from grader.exercise import exercise_of
from tests.assay.test_up import Up, in_state, start
from tests.patience import PATIENCE_S

MAGICS = "%load_ext engine"
SLIP, FAILS = "def rmsnorm(", {"tags": ["raises-exception"]}


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    running = start(tmp_path_factory.mktemp("up") / "data")
    yield running
    running.process.terminate()
    running.process.communicate(timeout=PATIENCE_S)


def run(up: Up, folder: Path, monkeypatch: pytest.MonkeyPatch, *cells: str) -> tuple[list[str], Path]:
    """What is printed below each cell, and the notebook as it is saved."""
    token = json.loads((up.data / "tokens.json").read_text())["student"]
    for name, value in {"SERVER": up.address, "TOKEN": token}.items():
        monkeypatch.setenv(f"ASSAY_{name}", value)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(cell, metadata=FAILS if cell == SLIP else {}) for cell in cells]
    )
    NotebookClient(
        notebook, timeout=PATIENCE_S, kernel_name="python3", resources={"metadata": {"path": folder}}
    ).execute()
    saved = folder / "work.ipynb"
    nbformat.write(notebook, saved)
    return ["".join(output.get("text", "") for output in cell.outputs) for cell in notebook.cells], saved


def test_a_cell_is_run_submitted_and_explained_below_it(
    up: Up, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = exercise_of(load_challenges()["rmsnorm"]).reference_source.decode()
    wrong = right.replace("torch.sqrt", "torch.sqr")
    other = "def rmsnorm(x):\n    return x"
    cells = [f"%%submit rmsnorm\n{source}" for source in (wrong, right, other)]
    told, _ = run(up, tmp_path, monkeypatch, MAGICS, *cells, "%%submit nothing\nx = 1")
    assert "Not passed" in told[1]
    assert "AttributeError" in told[1]
    assert "Passed: 100 of 100 points." in told[2]
    assert "to think about: engine answer" in told[2]
    assert "Not submitted" in told[3]
    assert "a different signature" in told[3]
    assert "There is no challenge 'nothing'" in told[4]


def test_the_whole_notebook_is_submitted_from_itself_and_as_a_file(
    up: Up, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = exercise_of(load_challenges()["rmsnorm"]).reference_source.decode()
    at = source.index("\ndef ")
    tried = "!echo tried\nx = torch.ones(2, 3)\nwhile x is None:\n    print(rmsnorm(x, x[0]))"
    cells = [
        f"import torch\n{source[:at]}",
        f"%%time\n{source[at:]}",
        tried,
        "%submit rmsnorm",
        "later = lambda: 1 / 0",
    ]
    told, saved = run(up, tmp_path, monkeypatch, MAGICS, *cells)
    assert "Passed: 100 of 100 points." in told[4]
    files = {"file": ("work.ipynb", saved.read_bytes())}
    with up.client() as client:
        sent = client.post("/submissions", data={"challenge": "rmsnorm"}, files=files).json()
        report = in_state(client, sent, "graded")["report"]
    assert report["verdict"] == "passed"
    assert report["submission"]["filename"] == "work.ipynb"


def test_a_session_is_told_by_the_numbers_beside_its_cells(
    up: Up, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = "import torch\ndef rmsnorm(x, weight, eps=1e-5):\n    return x.wrong"
    told, _ = run(up, tmp_path, monkeypatch, MAGICS, SLIP, "%submit rmsnorm", wrong, "%submit rmsnorm")
    assert "Not submitted" in told[2]
    assert "does not define `rmsnorm" in told[2]
    assert "Cell 4, line 3 raises AttributeError" in " ".join(told[4].split())
    assert "Submit again: %submit rmsnorm" in told[4]
    assert "\x1b" not in told[4]
