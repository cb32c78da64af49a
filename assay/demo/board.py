"""Who of the demonstration's students is on the leaderboard. The worker measures them when nothing else waits."""

from collections.abc import Sequence
from typing import Final

from app.challenges.service import Catalogue
from app.database import Database
from app.leaderboard import service as leaderboard
from app.models import User
from app.problems import Conflict

ON_IT: Final = 16


def write_board(database: Database, catalogue: Catalogue, users: Sequence[User], course: str, assignment: str) -> None:
    """Has the first students who passed join the leaderboard, each under a pseudonym by chance."""
    joined = 0
    for user in users:
        if joined == ON_IT:
            return
        try:
            leaderboard.join(database, catalogue, user, course, assignment, None)
        except Conflict:  # not passed
            continue
        joined += 1
