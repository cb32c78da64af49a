"""Follows a submission to its end: by events, resumed when they break, by asking now and then when there are none."""

import time
from dataclasses import dataclass
from typing import Protocol, TypeVar

from pydantic import ValidationError

from engine.client import Client
from engine.display import Page
from engine.errors import Interrupted, ServerNotUnderstood, ServerRefused, Unreachable
from engine.events import HEARTBEAT, Event
from engine.progress import progress_on
from engine.wire.base import Wire
from engine.wire.events import StateEvent, TestEvent
from engine.wire.submissions import QueuePosition, State, Submission

W = TypeVar("W", bound=Wire)


class Watcher(Protocol):
    """Whoever shows the progress: a live display or plain lines. A notice is about waiting or about the connection."""

    def state(self, state: State) -> None:
        """Hears the state, also when it is the same as before."""

    def test(self, test: TestEvent) -> None:
        """Hears that a test has ended."""

    def place(self, place: QueuePosition) -> None:
        """Hears the position in the queue."""

    def notice(self, sentence: str) -> None:
        """Hears a sentence for the student, also one that was told before."""


@dataclass(frozen=True)
class Patience:
    """How long to go on. `broken_streams`: streams in a row that told nothing, until we only ask; `held_s`: where the
    result is held, to hear whether the file can be graded at all.
    """

    broken_streams: int = 3
    reconnect_s: float = 0.3
    ask_again_s: float = 1.0
    silence_s: float = 60.0
    held_s: float = 5.0


class Follower:
    """One submission, followed once."""

    def __init__(self, client: Client, submission_id: str, watcher: Watcher, patience: Patience = Patience()) -> None:
        self._client = client
        self._id = submission_id
        self._watcher = watcher
        self._patience = patience
        self._last_event_id: str | None = None
        self._broken_streams = 0
        self._silent_since: float | None = None
        self._held_since: float | None = None

    def run(self) -> Submission:
        """The submission in its final state, or being graded where its result is held: when that ends is not told.
        Raises Unreachable after a long silence; it goes on without us.
        """
        while True:
            asks_only = self._broken_streams >= self._patience.broken_streams or self._held_since is not None
            if not asks_only:
                self._listen()
            submission = self._told()
            if submission is not None and self._is_done(submission):
                return submission
            time.sleep(self._patience.ask_again_s if asks_only else self._patience.reconnect_s)

    def _is_done(self, submission: Submission) -> bool:
        if submission.state is State.RUNNING and submission.is_held:
            self._held_since = self._held_since or time.monotonic()
            return time.monotonic() - self._held_since >= self._patience.held_s
        return submission.state.is_final

    def _listen(self) -> None:
        """Hears events until the stream ends, breaks or tells the end."""
        self._broken_streams += 1
        try:
            for event in self._client.events(self._id, self._last_event_id):
                self._last_event_id = event.id or self._last_event_id  # a new stream begins without one
                if self._hear(event):
                    return
        except (Unreachable, ServerRefused, ServerNotUnderstood):
            return  # `_ask` finds out whether the server or only its stream is in trouble

    def _hear(self, event: Event) -> bool:
        """Whether the submission has come to its end."""
        if event.kind == HEARTBEAT:
            submission = self._told()  # it may have to tell why we wait; and events can be lost
            return submission is not None and submission.state.is_final
        self._broken_streams = 0
        if event.kind == "test" and (test := _parsed(TestEvent, event.data)):
            self._watcher.test(test)
        if event.kind == "queue" and (place := _parsed(QueuePosition, event.data)):
            self._watcher.place(place)
        if event.kind == "state" and (change := _parsed(StateEvent, event.data)):
            self._watcher.state(change.state)
            return change.state.is_final or (change.state is State.RUNNING and self._is_held())
        return False

    def _is_held(self) -> bool:
        submission = self._ask()  # without telling its state: an event is ahead of the database
        return submission is not None and submission.is_held

    def _ask(self) -> Submission | None:
        """The submission as it is now; None when the server does not answer."""
        try:
            submission = self._client.submission(self._id)
        except Unreachable:
            self._endure()
            return None
        if self._silent_since is not None:
            self._silent_since, self._broken_streams = None, 0
            self._watcher.notice("The server is back.")
        return submission

    def _told(self) -> Submission | None:
        """The same, told to whoever watches."""
        submission = self._ask()
        if submission is not None:
            self._watcher.state(submission.state)
            if submission.queue is not None:
                self._watcher.place(submission.queue)
            if submission.waiting:
                self._watcher.notice(submission.waiting)
        return submission

    def _endure(self) -> None:
        now = time.monotonic()
        if self._silent_since is None:
            self._silent_since = now
            self._watcher.notice("The server is not responding; still trying. Your submission is safe.")
        elif now - self._silent_since > self._patience.silence_s:
            raise Unreachable(
                f"{self._client.server} has not answered for {self._patience.silence_s:.0f} seconds.",
                f"Your submission is safe. See its result later with: engine status {self._id}",
            )


def _parsed(model: type[W], data: str) -> W | None:
    """None for an event that we do not understand: events only decorate, the report comes by itself."""
    try:
        return model.model_validate_json(data)
    except ValidationError:
        return None


def watch(client: Client, submission_id: str, page: Page) -> Submission:
    """Follows it with its progress shown on `page`. Ctrl-C stops the watching, never the submission."""
    try:
        with progress_on(page) as watcher:
            return Follower(client, submission_id, watcher).run()
    except KeyboardInterrupt:
        raise Interrupted(
            "Stopped watching. Your submission will still be graded.",
            f"See its result with: engine status {submission_id}",
        ) from None
