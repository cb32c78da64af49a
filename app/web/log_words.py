"""What the audit log says was done, in words: `DONE[action]` follows the name of whoever did it."""

from collections.abc import Mapping
from typing import Final

DONE: Final[Mapping[str, str]] = {
    "answer.mark": "marked an answer",
    "answer.propose": "asked for suggested points",
    "assignment.change": "changed an assignment",
    "assignment.create": "created an assignment",
    "assignment.remove": "removed an assignment",
    "comment.change": "changed a comment",
    "comment.delete": "deleted a comment",
    "comment.write": "wrote a comment",
    "course.archive": "archived the course",
    "course.bring_back": "brought the course back",
    "course.change": "changed the course's settings",
    "course.copy": "copied the course",
    "course.create": "created the course",
    "enrollment.add": "added a person",
    "enrollment.change": "changed a person's membership",
    "exception.give": "gave more time or attempts",
    "exception.withdraw": "withdrew an exception",
    "gradebook.rules": "changed how the total is computed",
    "grades.hold": "held grades again",
    "grades.release": "released grades",
    "invitation.accept": "accepted an invitation",
    "invitation.mail": "mailed invitations",
    "invitation.print": "printed invitations",
    "invitation.revoke": "revoked an invitation",
    "leaderboard.let_back": "let an entry back onto the leaderboard",
    "leaderboard.remove": "removed an entry from the leaderboard",
    "lti.connect": "connected a learning platform",
    "lti.disconnect": "disconnected a learning platform",
    "lti.send_again": "had all points sent again",
    "note.send": "sent a note",
    "override.give": "set points by hand",
    "override.withdraw": "withdrew points set by hand",
    "regrade.apply": "applied a regrade",
    "regrade.ask": "started a regrade",
    "regrade.drop": "discarded a regrade",
    "request.answer": "answered a regrade request",
    "request.ask": "requested a regrade",
    "request.withdraw": "withdrew a regrade request",
    "roster.follow": "followed the learning platform's roster",
    "roster.import": "imported a roster",
}
# What an entry is about, by how its action begins: an assignment's URL name, or a person's account.
ABOUT_ASSIGNMENTS: Final = frozenset({"assignment", "exception", "grades", "leaderboard", "override", "regrade"})
ABOUT_PEOPLE: Final = frozenset({"enrollment", "invitation"})
