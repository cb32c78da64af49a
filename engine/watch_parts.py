"""`engine watch` in a project of several parts: what changed is graded as it is saved, and the board shows all of them.

What would count for an assignment is submitted only when the student presses Enter.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rich.text import Text

from engine import board
from engine.board import Board, Row
from engine.client import PATIENCE_OF_PROJECTS_S, Client
from engine.config import Config
from engine.display import Page
from engine.errors import EngineError, Interrupted, NotSignedIn
from engine.parts import PartFile
from engine.project import Project
from engine.standing import standing_words
from engine.watch_events import Occasion, forget, occasions
from engine.wire.accounts import Standing

PRACTICE = "practice"  # what stands for an assignment where nothing is to count


def watch_parts(config: Config, project: Project, items: Sequence[PartFile]) -> None:
    """Grades parts as they are saved and submits them on Enter, until the student quits."""
    page = Page()
    with Client(config, page.say, PATIENCE_OF_PROJECTS_S) as client:
        desk = PartsDesk(client, page, Board(client, page, project.folder))
        with occasions(project.folder.resolve()) as happened:
            desk.open(items)
            while (occasion := happened.get()) is not Occasion.QUIT:
                if occasion is Occasion.SUBMIT:
                    desk.submit()
                    forget(happened)
                while desk.save():  # and what was saved meanwhile
                    forget(happened)
                desk.show()


@dataclass
class PartsDesk:
    """The parts being worked on, and what is known of them."""

    client: Client
    page: Page
    board: Board
    rows: list[Row] = field(default_factory=list)
    standings: Sequence[Standing] = ()
    trouble: EngineError | None = None  # why something could not be sent or followed just now

    def open(self, items: Sequence[PartFile]) -> None:
        """Begins with how each part stands. Nothing is sent."""
        self.rows = self.board.read(items)
        self._look_up()
        self.show()

    def save(self) -> bool:
        """Looks at all files, and grades those parts that changed and count for nothing. Whether there were any."""
        before, self.rows = self.rows, [self._looked_at(row) for row in self.rows]
        changed = [row for row, old in zip(self.rows, before, strict=True) if row is not old and row.upload is not None]
        if not changed or not self._look_up():
            return False
        free = [row.part for row in changed if not self._counts(row.part)]
        self._grade(free)
        return bool(free)

    def submit(self) -> None:
        """Sends all that changed, as it is now."""
        self.rows = [self._looked_at(row) for row in self.rows]
        self._grade([row.part for row in self.rows])

    def show(self) -> None:
        """Draws the screen anew: the board, what waits, what to press."""
        page = self.page
        if page.is_terminal:
            page.console.clear()
        board.show(page, self.rows)
        page.blank()
        waiting = [row.part for row in self.rows if row.upload is not None]
        for standing in {each.address: each for part in waiting for each in self._asking(part)}.values():
            page.say(standing_words(standing), "dim")
        if self.trouble is not None:
            page.say(self.trouble.in_words, "yellow")
            self.trouble = None
        enter = f"Enter submits {', '.join(part.challenge for part in waiting)}, " if waiting else ""
        page.console.print(Text(f"{enter}q quits. ", "dim"), end="")

    def _looked_at(self, row: Row) -> Row:
        """The same row where its files have not changed since the last look."""
        new = self.board.looked_at(row)
        if row.upload is not None and new.upload is not None and row.upload.digest == new.upload.digest:
            return row
        return row if new == row else new

    def _grade(self, parts: Iterable[PartFile]) -> None:
        """What the server refuses keeps no other part from being sent."""
        chosen = set(parts)
        self.rows = [self._sent(row) if row.part in chosen else row for row in self.rows]
        try:
            self.rows = self.board.wait(self.rows)
        except Interrupted:
            raise
        except EngineError as error:
            self.trouble = error
        self._look_up()

    def _sent(self, row: Row) -> Row:
        try:
            return self.board.sent_or_refused(row)
        except NotSignedIn:
            raise
        except EngineError as error:
            self.trouble = error
            return row

    def _look_up(self) -> bool:
        """Which assignments are open now. Whether the server said so: else nothing may be taken for practice."""
        try:
            self.standings = self.client.me().assignments
        except (NotSignedIn, Interrupted):
            raise
        except EngineError as error:
            self.trouble = error
            return False
        return True

    def _counts(self, part: PartFile) -> bool:
        """Whether an upload of it could count for an assignment."""
        return part.assignment not in (None, PRACTICE) or bool(self._asking(part))

    def _asking(self, part: PartFile) -> list[Standing]:
        """The open assignments that it could count for."""
        asking = [each for each in self.standings if each.challenge == part.challenge]
        return [each for each in asking if part.assignment in (None, each.address)]
