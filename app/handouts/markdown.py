"""A hand-out as Markdown, to print or to paste elsewhere. What only staff should know is not in it."""

from collections.abc import Iterator

from app.handouts.schemas import ExcerptView, Handout
from grader.questions import QuestionView

PRACTISE = "Once your own solution passes, the bug hunt gives you a file with one bug to find: `engine hunt`."
WHERE = "  # <- here"


def to_markdown(handout: Handout) -> str:
    """Returns the hand-out as Markdown."""
    return "\n".join(_lines(handout))


def _lines(handout: Handout) -> Iterator[str]:
    yield from (f"# {handout.title}", "", handout.assignment_title, "", handout.explanation, "")
    if handout.excerpts:
        yield from ("## How it looks in code", "")
        for excerpt in handout.excerpts:
            yield from _code("\n".join(_marked(excerpt)))
    if handout.example:
        yield from ("## Try it", "", "Run this example beside your own code.", "")
        yield from _code(handout.example)
    if handout.question:
        yield from ("## Think about it", "", *_asked(handout.question))
    if handout.hunt:
        yield from ("## Practise", "", PRACTISE, "")


def _marked(excerpt: ExcerptView) -> Iterator[str]:
    for place, line in enumerate(excerpt.lines):
        yield f"{line}{WHERE}" if place == excerpt.marked else line


def _asked(question: QuestionView) -> Iterator[str]:
    yield from (question.prompt, "")
    if question.code:
        yield from _code(question.code)
    yield from (f"* {option.text}" for option in question.options)
    yield ""


def _code(text: str) -> Iterator[str]:
    yield from ("```python", text.rstrip("\n"), "```", "")
