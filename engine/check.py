"""What can be known of a file before it is sent: the server's own check, in the server's own words. Runs nothing."""

import hashlib
import warnings

from engine.upload import Upload
from engine.wire.challenges import ChallengeDetail
from grader.guest.gradable import refusal_of
from grader.guest.inspection import EntryKind, EntryPoint, Place, Refusal, SourceRules
from grader.guest.submission import Submission
from grader.notebook import Places


def refusal_before_sending(upload: Upload, challenge: ChallengeDetail) -> Refusal | None:
    """Why the file could not be graded, or would be graded for nothing. Nothing where the server does not say what it
    asks for.
    """
    if hashlib.sha256(upload.source).hexdigest() == challenge.starter_sha256:
        return Refusal(f"{upload.name} is the unchanged starter: nothing is filled in yet.", Place(1))
    if challenge.source is None:
        return None
    files = {**upload.siblings, challenge.default_path: upload.source}
    submission = Submission(challenge.default_path, files, sent_as=upload.name)
    libraries = {path: text.encode() for path, text in challenge.libraries.items()}
    rules = SourceRules(
        main="",
        entry_points=tuple(
            EntryPoint(
                entry.name, entry.parameters, entry.optional, entry.keywords, EntryKind(entry.kind), entry.methods
            )
            for entry in challenge.entry_points
        ),
        modules=challenge.source.modules,
        source_bytes=challenge.source.max_bytes,
    )
    with warnings.catch_warnings(action="ignore"):  # such as of `"\d"`: not the student's worry here
        refusal = refusal_of(submission.beside(libraries, [entry.name for entry in rules.entry_points]), rules)
    return _in_cells(refusal, upload.source) if refusal and submission.is_notebook else refusal


def _in_cells(refusal: Refusal, source: bytes) -> Refusal:
    places, at = Places(source), refusal.place
    line, file = places.of(at.line, at.file) if at else (None, None)
    return Refusal(places.text(refusal.message), Place(line, file) if line else None)
