"""A challenge as the front end has it. Knows the public part of its folder only."""

from dataclasses import dataclass

from grader.challenge import Challenge
from grader.hunt import HuntBank
from grader.questions import QuestionBank


@dataclass(frozen=True)
class Entry:
    """A challenge, its questions and its bug hunt."""

    challenge: Challenge
    questions: QuestionBank
    hunt: HuntBank

    @property
    def slug(self) -> str:
        """The challenge's slug."""
        return self.challenge.slug


def entry_of(challenge: Challenge) -> Entry:
    """Reads the banks of a challenge. Raises ManifestError, BankError or HuntError."""
    return Entry(challenge, QuestionBank.load(challenge.questions_path), HuntBank.load(challenge.hunt_folder))
