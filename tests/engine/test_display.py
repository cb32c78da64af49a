"""What is written for people."""

import pytest

from engine.display import Page, plain
from engine.progress import LineProgress
from engine.wire.submissions import QueuePosition, State


def test_what_is_copied_is_never_cut(capsys: pytest.CaptureFixture[str]) -> None:
    line = "    " + "x" * 500
    Page().verbatim(plain(line), indent=4)
    assert capsys.readouterr().out == f"    {line}\n"


def test_who_is_being_graded_is_no_longer_in_the_queue(capsys: pytest.CaptureFixture[str]) -> None:
    progress = LineProgress(Page())
    progress.state(State.QUEUED)
    progress.place(QueuePosition(position=2))
    progress.state(State.RUNNING)
    progress.place(QueuePosition(position=1))
    assert capsys.readouterr().out == "Waiting for a free grader.\nPosition 2 in the queue.\nGrading.\n"
