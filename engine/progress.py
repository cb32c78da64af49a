"""Shows a submission's progress: a live line in a terminal, plain lines elsewhere. Results are not its business."""

from datetime import UTC, datetime
from typing import Final, Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn

from engine.cleaning import clean_line
from engine.display import Page
from engine.wire.events import TestEvent
from engine.wire.submissions import QueuePosition, State

SENTENCES: Final = {
    State.QUEUED: "Waiting for a free grader",
    State.RUNNING: "Grading",
    State.GRADED: "Graded",
    State.CANCELLED: "Cancelled",
    State.SUPERSEDED: "Replaced by a newer submission",
}

CALM: Final = ("passed", "skipped")


def place_text(place: QueuePosition) -> str:
    """`position 4 in the queue, starts in about 20 s; grading takes 0.8 s, rarely more than 2 s`, or empty."""
    parts = []
    if place.position is not None:
        parts.append("next in the queue" if place.position == 1 else f"position {place.position} in the queue")
        if place.estimated_start_at is not None:
            left_s = (place.estimated_start_at - datetime.now(UTC)).total_seconds()
            parts[-1] += f", starts in about {_duration(left_s)}"
    if place.grading_p50_s is not None and place.grading_p95_s is not None:
        usual, longest = _duration(place.grading_p50_s), _duration(place.grading_p95_s)
        parts.append(f"grading takes {usual}" + (f", rarely more than {longest}" if longest != usual else ""))
    return "; ".join(parts)


def _duration(seconds: float) -> str:
    if seconds < 10:
        return f"{max(seconds, 0.1):.1f} s"
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


class LineProgress:
    """Lines for logs and pipes."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._state: State | None = None
        self._position: int | None = None
        self._notice = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def state(self, state: State) -> None:
        if state != self._state:
            self._page.say(f"{SENTENCES[state]}.")
        self._state = state

    def test(self, test: TestEvent) -> None:
        """Tells nothing of a test: the result tells of what failed."""

    def place(self, place: QueuePosition) -> None:
        is_waiting = self._state is not State.RUNNING  # what is told of the queue may come after grading has begun
        if is_waiting and place.position is not None and place.position != self._position:
            self._position = place.position
            text = place_text(place)
            self._page.say(f"{text[0].upper()}{text[1:]}.")

    def notice(self, sentence: str) -> None:
        if sentence != self._notice:
            self._page.say(clean_line(sentence))
        self._notice = sentence


class LiveProgress:
    """One line that moves, and is gone when the result comes."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._not_right = 0
        self._notice = ""
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=min(24, max(6, page.width - 50))),
            MofNCompleteColumn(),
            TextColumn("{task.fields[aside]}", markup=False, style="dim"),
            console=page.console,
            transient=True,
        )
        self._task: TaskID = self._progress.add_task("Sending", total=None, aside="")

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def state(self, state: State) -> None:
        self._progress.update(self._task, description=SENTENCES[state], aside="")

    def test(self, test: TestEvent) -> None:
        self._not_right += test.status not in CALM
        aside = f"{self._not_right} not right" if self._not_right else ""
        self._progress.update(self._task, completed=test.done, total=test.total, aside=aside)

    def place(self, place: QueuePosition) -> None:
        self._progress.update(self._task, aside=place_text(place))

    def notice(self, sentence: str) -> None:
        if sentence != self._notice:
            self._page.say(clean_line(sentence), "yellow")
        self._notice = sentence


def progress_on(page: Page) -> LineProgress | LiveProgress:
    """Chooses a live display for a terminal, plain lines for everything else."""
    return LiveProgress(page) if page.is_terminal else LineProgress(page)
