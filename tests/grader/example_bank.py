"""The bank that docs/questions.md shows to authors."""

import re
from pathlib import Path

from grader.questions import QuestionBank

DOCS = Path(__file__).parents[2] / "docs" / "questions.md"


def _shown() -> str:
    shown = re.search(r"```toml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert shown, "docs/questions.md shows no bank"
    return shown[1]


EXAMPLE = QuestionBank.parse(_shown(), str(DOCS))
