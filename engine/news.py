"""What is new from the course: in full after a result, as one line elsewhere."""

from typing import Final

from engine.display import Page
from engine.failures import number
from engine.wire.talk import NewsItem, Note

SHOWN: Final = 5
NOT_GRADED: Final = "not graded"


def tell_news(page: Page, items: tuple[NewsItem, ...], server: str) -> None:
    """Writes what is new, with the text of notes."""
    if not items:
        return
    page.heading("New for you")
    for item in items[:SHOWN]:
        page.say(f"{item.title} ({item.course_title})", indent=2)
        if item.note is not None:
            _note(page, item.note)
    if len(items) > SHOWN:
        page.say(f"And {len(items) - SHOWN} more.", indent=2)
    page.say(f"Mark it as read: {server}/", "dim", indent=2)


def hint_at_news(page: Page, items: tuple[NewsItem, ...]) -> None:
    """Says in one line that something is new."""
    if len(items) == 1:
        page.say(f"New for you: {items[0].title} ({items[0].course_title}).")
    elif items:
        page.say(f"{len(items)} things are new for you, such as: {items[0].title} ({items[0].course_title}).")


def _note(page: Page, note: Note) -> None:
    if note.author:
        page.say(f"From {note.author_full_name or note.author}", "dim", indent=4)
    for line in note.text.splitlines():
        page.say(line, indent=4)
    for result in note.results:
        before, after = _told(result.verdict_before, result.score_before), _told(result.verdict, result.score)
        page.say(f"Attempt {result.attempt} was {before} and is now {after}.", indent=4)


def _told(verdict: str | None, score: float | None) -> str:
    return (verdict or NOT_GRADED) + ("" if score is None else f" ({number(score)} points)")
