"""The comments of the course's staff, each below the line that it is about."""

from collections.abc import Sequence

from engine.display import Page
from engine.excerpts import Excerpts
from engine.times import in_zone
from engine.wire.talk import Comment


def tell_comments(page: Page, excerpts: Excerpts, comments: Sequence[Comment], zone: str | None) -> None:
    """Writes the comments, in the order in which they came, with their times in the course's zone."""
    if comments:
        page.heading("Comments from your course's staff")
    for comment in comments:
        excerpts.show(comment.line, comment.file)
        edited = ", edited" if comment.edited_at else ""
        when = in_zone(comment.written_at, zone)
        page.say(f"{comment.author_full_name or comment.author}, {when}{edited}", "dim", indent=2)
        for line in comment.text.splitlines():
            page.say(line, indent=4)
