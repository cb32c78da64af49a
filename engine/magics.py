"""`%%submit` for a cell and `%submit` for the notebook so far: sent, graded, and told below the cell.

Whoever is signed in (`engine login`) is signed in here too.
"""

import ast
from pathlib import Path
from typing import Any

from engine.check import refusal_before_sending
from engine.client import Client
from engine.config import Config
from engine.display import Page
from engine.errors import EngineError
from engine.follow import watch
from engine.outcome import offer_questions
from engine.project import DEFAULT_CHALLENGE
from engine.result import ResultText, say_not_sent
from engine.standing import say_standing
from engine.unchanged import sent_as_it_is, unchanged_words
from engine.upload import Upload
from grader.notebook import as_source, without_magics

USAGE = "For example: %%submit mha-rope cs336/attention"
CELL = Path("cell.py")
NOTEBOOK = Path("notebook.ipynb")
WHAT = {CELL: "This cell", NOTEBOOK: "Your notebook"}
FORCE = "--force"


def register(shell: Any) -> None:
    """Gives an IPython shell both magics."""

    def submit_cell(words: str, cell: str) -> None:
        """Runs the cell, then submits it as the file of a challenge."""
        if shell.run_cell(cell).success:
            source = without_magics(f"%%submit\n{cell}")  # with its first line: numbered as in the margin
            _submit("%%submit", words, CELL, source.encode("utf-8", "replace"))

    def submit_notebook(words: str) -> None:
        """Submits the cells that were run so far."""
        cells = shell.history_manager.input_hist_raw[1:]  # numbered as in the margin
        source = as_source(_up_to_the_last_code([text if _is_python(text) else "" for text in cells]))
        _submit("%submit", words, NOTEBOOK, source)

    shell.register_magic_function(submit_cell, "cell", "submit")
    shell.register_magic_function(submit_notebook, "line", "submit")


def _is_python(cell: str) -> bool:
    """Whether it could be run: what could not is told where it was tried."""
    try:
        ast.parse(without_magics(cell))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _up_to_the_last_code(cells: list[str]) -> list[str]:
    """Without the commands at the end, such as this one: to give them again changes nothing."""
    last = max((at for at, text in enumerate(cells, start=1) if _has_code(text)), default=1)
    return cells[:last]


def _has_code(cell: str) -> bool:
    return any(line.strip() not in ("", "pass") for line in without_magics(cell).split("\n"))


def _submit(magic: str, words: str, path: Path, source: bytes) -> None:
    """Prints whatever came of it; a notebook goes on after an error."""
    try:
        _send(magic, words.split(), Upload(path, source))
    except EngineError as error:
        Page().say(error.in_words)


def _send(magic: str, words: list[str], upload: Upload) -> None:
    is_forced, named = FORCE in words, [word for word in words if word != FORCE]
    if len(named) > 2:
        raise EngineError(f"{magic} takes a challenge and, optionally, an assignment.", USAGE)
    slug, assignment = named[0] if named else DEFAULT_CHALLENGE, named[1] if named[1:] else None
    again = " ".join([magic, *named])
    page = Page()
    with Client(Config.read(), page.say) as client:
        wanted = client.challenge(slug)
        refusal = refusal_before_sending(upload, wanted)
        if refusal is not None and not is_forced:
            say_not_sent(page, upload.path, upload.source, refusal, f"Fix it, then run {again} again.")
            return
        text = ResultText(page, upload.source, str(upload.path), wanted.titles(), again=again)
        standing = say_standing(client, page, slug, assignment)
        if standing is not None and not is_forced:
            last = sent_as_it_is(upload, wanted, standing, client.submissions(slug, limit=5).items)
            if last is not None:
                page.say(unchanged_words(WHAT[upload.path], last, standing), "yellow")
                page.say(f"Nothing was sent. To submit it anyway, run: {again} {FORCE}")
                page.blank()
                text.write(client.submission(last.id))
                return
        sent = client.submit(upload, slug, assignment)
        graded = watch(client, sent.id, page)
        text.write(graded)
        offer_questions(client, graded, interactive=False)
