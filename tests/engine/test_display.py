"""What is written for people."""

import pytest

from engine.display import Page, plain


def test_what_is_copied_is_never_cut(capsys: pytest.CaptureFixture[str]) -> None:
    line = "    " + "x" * 500
    Page().verbatim(plain(line), indent=4)
    assert capsys.readouterr().out == f"    {line}\n"
