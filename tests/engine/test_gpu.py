"""What a GPU adds to a result, as a student reads it."""

from datetime import UTC, datetime

import pytest

from engine.display import Page
from engine.result import ResultText
from engine.wire.submissions import Submission
from tests.engine.papers import RIGHT, report_for


def written(capsys: pytest.CaptureFixture[str], gpu: object) -> str:
    fields = {"id": "S1", "challenge": "mha-rope", "filename": "layers.py", "state": "graded", "attempt": 1}
    report = report_for(RIGHT, "layers.py").model_dump(mode="json", by_alias=True)
    told = {**fields, "created_at": datetime.now(UTC).isoformat(), "report": report, "gpu": gpu}
    ResultText(Page(), None, "layers.py", {}).write(Submission.model_validate(told))
    return " ".join(capsys.readouterr().out.split())


def test_nothing_is_said_where_there_is_no_such_stage(capsys: pytest.CaptureFixture[str]) -> None:
    assert "GPU" not in written(capsys, None)


def test_one_that_waits_says_how_to_see_it_again(capsys: pytest.CaptureFixture[str]) -> None:
    text = written(capsys, {"state": "waiting", "message": "Waiting for a GPU.", "report": None})
    assert "On a GPU Waiting for a GPU. Check again: engine status S1" in text


def test_the_figures_stand_with_their_spread_size_and_card(capsys: pytest.CaptureFixture[str]) -> None:
    report = {
        "device": "NVIDIA H100",
        "size": "batch 16",
        "time": {"median": 1.234, "least": 1.1, "most": 1.4},
        "memory_ratio": 2.0,
        "unknown to this client": 1,
    }
    text = written(capsys, {"state": "done", "message": "Right on the GPU as well.", "report": report})
    assert "the time of a plain correct answer (1.1 to 1.4); 2" in text
    assert "its memory; batch 16 on NVIDIA H100." in text


def test_a_state_of_a_later_server_is_no_trouble(capsys: pytest.CaptureFixture[str]) -> None:
    assert "It melted." in written(capsys, {"state": "melted", "message": "It melted."})
