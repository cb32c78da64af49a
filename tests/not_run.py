"""Tells at the end of a test run on which sandboxes and databases it ran: what was missing shall not be overlooked."""

from typing import Any

import pytest

TOLD = pytest.StashKey[dict[str, str]]()  # by name: its description, or why nothing ran on it
NOT_RUN = "NOT RUN: "


def note(config: pytest.Config, name: str, told: str) -> None:
    """The last word counts."""
    config.stash.setdefault(TOLD, {})[name] = told


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A process of pytest-xdist hands over what it knows."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["told"] = session.config.stash.get(TOLD, {})


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    known = node.config.stash.setdefault(TOLD, {})
    for name, told in getattr(node, "workeroutput", {}).get("told", {}).items():
        if not known.get(name) or known[name].startswith(NOT_RUN):
            known[name] = told


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for name, told in sorted(config.stash.get(TOLD, {}).items()):
        ran = not told.startswith(NOT_RUN)
        terminalreporter.write_line(f"{name}: {told}", green=ran, red=not ran)
