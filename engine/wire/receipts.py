"""Receipts, and the keys that they are signed with."""

from datetime import datetime

from engine.wire.base import Wire
from grader.report import ChallengeRef, Environment, Verdict


class PublicKey(Wire):
    """An Ed25519 key as a JSON Web Key has it."""

    kid: str
    x: str


class KeySet(Wire):
    """All keys that the server has signed receipts with."""

    keys: tuple[PublicKey, ...]


class Receipt(Wire):
    """What a receipt says."""

    submission: str
    student: str
    attempt: int
    graded_at: datetime
    challenge: ChallengeRef
    sha256: str
    verdict: Verdict
    score: float
    max_score: float
    environment: Environment
