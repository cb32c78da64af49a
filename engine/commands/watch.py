"""`engine watch`: on every save a check, on Enter a submission, and always on one screen how it stands."""

from dataclasses import dataclass
from pathlib import Path

import click
from rich.text import Text

from engine.check import refusal_before_sending
from engine.client import Client
from engine.config import Config
from engine.display import Page
from engine.errors import EngineError, ServerRefused, WrongUsage
from engine.excerpts import Excerpts
from engine.follow import watch
from engine.outcome import is_conversation, questions_words, waiting_questions
from engine.project import Project
from engine.result import HELD, NOT_GRADED, STYLES, headline
from engine.since_last_attempt import since
from engine.standing import standing_for, standing_words
from engine.unchanged import sent_as_it_is, unchanged_words
from engine.upload import Upload, read_upload, with_siblings
from engine.watch_events import Occasion, forget, occasions
from engine.watch_parts import watch_parts
from engine.wire.accounts import Standing
from engine.wire.challenges import ChallengeDetail
from engine.wire.submissions import State, Submission
from grader.report import Report, Verdict

KEYS = "Enter submits, q quits. "


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--challenge", metavar="SLUG", help="The challenge; by default the one from `engine init`, or mha-rope.")
@click.option("--assignment", metavar="COURSE/ASSIGNMENT", help="The assignment to submit to, if there are several.")
def command(file: Path | None, challenge: str | None, assignment: str | None) -> None:
    """Check your file on every save, and submit it with one key.

    Nothing is sent until you press Enter. Questions never interrupt: `engine answer` asks them. In a folder with an
    engine.toml all its parts are watched: a part that changed is graded as it is saved, or, where an assignment asks
    for it, when you press Enter.
    """
    if not is_conversation():
        raise WrongUsage("`engine watch` needs a terminal.", "In a script: engine submit-build")
    config, project = Config.read(), Project.read(Path.cwd())
    if parts := project.several(file, challenge, assignment):
        watch_parts(config, project, parts)
        return
    meant = project.meant(file, challenge, assignment)
    page = Page()
    with Client(config, page.say) as client:
        wanted = client.challenge(meant.challenge)
        path = meant.file or Path(wanted.default_path)
        desk = Desk(client, page, wanted, path, meant.assignment)
        with occasions(read_upload(path).path.resolve().parent) as happened:
            desk.open()
            while (occasion := happened.get()) is not Occasion.QUIT:
                if occasion is Occasion.SUBMIT:
                    desk.submit()
                    forget(happened)
                desk.show()


@dataclass
class Desk:
    """One file being worked on, and what is known of it."""

    client: Client
    page: Page
    wanted: ChallengeDetail
    path: Path
    assignment: str | None
    standing: Standing | None = None
    last: Submission | None = None
    before: Report | None = None  # of the attempt before the last
    questions: int = 0  # of the last attempt, that wait for an answer
    refused: EngineError | None = None  # why the file was not sent just now
    asked_about: str | None = None  # the file that would be sent again as it was: by its digest

    def open(self) -> None:
        """Begins with the last attempt, if there was one."""
        newest = self.client.submissions(self.wanted.slug, limit=1).items
        self.last = self.client.submission(newest[0].id) if newest else None
        self._look_up()
        self.show()

    def show(self) -> None:
        """Draws the screen anew: how the file stands, what came of the last attempt, what to press."""
        page = self.page
        if page.is_terminal:
            page.console.clear()
        page.put(Text(f"{self.path} for {self.wanted.slug}", "bold"))
        if self.standing is not None:
            page.say(standing_words(self.standing), "dim")
        page.blank()
        self._tell_file()
        if self.last is not None:
            self._tell_last(self.last)
        page.blank()
        if self.refused is not None:
            page.say(self.refused.in_words, "yellow")
            self.refused = None
        page.console.print(Text(KEYS, "dim"), end="")

    def submit(self) -> None:
        """Sends the file if it can be graded."""
        try:
            upload = self._upload()
            if refusal_before_sending(upload, self.wanted) is None and self._is_meant(upload):
                self._send(upload)
        except EngineError as error:
            self.refused = error

    def _is_meant(self, upload: Upload) -> bool:
        """An attempt is spent on a file that has not changed only when Enter is pressed twice."""
        if self.standing is None:
            return True
        last = sent_as_it_is(upload, self.wanted, self.standing, [self.last] if self.last else [])
        if last is None or self.asked_about == upload.digest:
            self.asked_about = None
            return True
        self.asked_about = upload.digest
        self.refused = EngineError(
            unchanged_words(str(upload.path), last, self.standing), "Press Enter again to submit it."
        )
        return False

    def _send(self, upload: Upload) -> None:
        sent = self.client.submit(upload, self.wanted.slug, self.assignment)
        self.before = self.last.report if self.last else None
        self.last = watch(self.client, sent.id, self.page)
        self._look_up()

    def _look_up(self) -> None:
        self.standing = standing_for(self.client.me().assignments, self.wanted.slug, self.assignment)
        self.questions = self._count_questions()

    def _count_questions(self) -> int:
        if self.last is None or self.last.verdict in {None, Verdict.REJECTED}:
            return 0
        try:
            return len(waiting_questions(self.client.questions(self.last.id)))
        except ServerRefused:  # an extra: it is not asked yet, or not here
            return 0

    def _upload(self) -> Upload:
        return with_siblings(read_upload(self.path), self.wanted.default_path, self.wanted.modules)

    def _tell_file(self) -> None:
        page = self.page
        try:
            upload = self._upload()
        except EngineError as error:
            page.put(Text(error.message), sign=Text(page.glyphs.failed, "bold yellow"))
            return
        refusal = refusal_before_sending(upload, self.wanted)
        if refusal is None:
            page.put(Text("This file can be graded."), sign=Text(page.glyphs.passed, "green"))
            return
        page.put(Text(refusal.message), sign=Text(page.glyphs.failed, "bold yellow"))
        if refusal.place is not None:
            Excerpts(page, str(upload.path), upload.source).show(refusal.place.line, refusal.place.file)

    def _tell_last(self, last: Submission) -> None:
        page, report = self.page, last.report
        page.heading(f"Attempt {last.attempt}")
        if report is None:
            page.say(
                last.waiting
                or (
                    f"Submitted. {HELD}" if last.is_held and last.state is not State.QUEUED else NOT_GRADED[last.state]
                ),
                indent=2,
            )
            return
        style = STYLES.get(report.verdict, "yellow")
        page.put(Text(headline(report), f"bold {style}"), indent=2)
        page.say(report.summary, indent=2)
        if report.line_to_look_at is not None:
            Excerpts(page, str(self.path), self._sent()).show(*report.line_to_look_at)
        if self.before is not None:
            for sentence in since(self.before, report, self.wanted.titles()).sentences():
                page.say(sentence, indent=2)
        if self.questions:
            page.say(f"{questions_words(self.questions)}: engine answer", "dim", indent=2)
        page.say("Full result: engine status. In the browser: engine open.", "dim", indent=2)

    def _sent(self) -> bytes | None:
        """The file as it was sent, where it still is."""
        sent = self.client.memory.last()
        return sent.source() if sent else None
