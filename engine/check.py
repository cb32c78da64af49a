"""What can be known of a file before it is sent: the server's own check, in the server's own words. Runs nothing."""

import warnings
from collections.abc import Iterator

from engine.data_files import data_files
from engine.upload import Upload
from engine.wire.challenges import ChallengeDetail, Source
from grader.guest.gradable import missing_libraries, refusal_of
from grader.guest.inspection import EntryKind, EntryPoint, Place, Refusal, SourceRules
from grader.guest.submission import Submission
from grader.notebook import Places


def refusal_before_sending(upload: Upload, challenge: ChallengeDetail) -> Refusal | None:
    """Returns why the file could not be graded, or would be graded for nothing. None where there is no reason, or the
    server does not say what it looks for.
    """
    if challenge.source is None:
        return None
    submission, rules = _as_graded(upload, challenge, challenge.source)
    with warnings.catch_warnings(action="ignore"):  # such as of `"\d"`: not the student's worry here
        refusal = refusal_of(submission, rules)
    return _in_cells(refusal, upload.source) if refusal and submission.is_notebook else refusal


def lacking(upload: Upload, challenge: ChallengeDetail) -> Iterator[str]:
    """Yields a sentence for each module that the files import and the server does not have: no mistake, as long as none
    is used.
    """
    libraries = _not_available(upload, challenge)
    if libraries:
        yield f"The server does not have {', '.join(libraries)}: code that uses it will stop there."
    files = data_files(upload, challenge.default_path, challenge.modules)
    if files:
        stay, them = ("stays", "it") if len(files) == 1 else ("stay", "them")
        yield f"{', '.join(files)} {stay} here, as only modules are sent: code that opens {them} will stop there."


def _not_available(upload: Upload, challenge: ChallengeDetail) -> list[str]:
    if challenge.source is None:
        return []
    submission, rules = _as_graded(upload, challenge, challenge.source)
    with warnings.catch_warnings(action="ignore"):
        return missing_libraries(submission, rules)


def entry_points_of(challenge: ChallengeDetail) -> tuple[EntryPoint, ...]:
    """Returns what a file must define for the challenge."""
    return tuple(
        EntryPoint(entry.name, entry.parameters, entry.optional, entry.keywords, EntryKind(entry.kind), entry.methods)
        for entry in challenge.entry_points
    )


def _as_graded(upload: Upload, challenge: ChallengeDetail, source: Source) -> tuple[Submission, SourceRules]:
    main = upload.main or challenge.default_path
    files = {**upload.siblings, main: upload.source}
    libraries = {path: text.encode() for path, text in challenge.libraries.items()}
    rules = SourceRules(
        main="",
        entry_points=entry_points_of(challenge),
        modules=source.modules,
        source_bytes=source.max_bytes,
        starter=challenge.starter,
    )
    submission = Submission(main, files, sent_as=upload.name)
    return submission.beside(libraries, [entry.name for entry in rules.entry_points]), rules


def _in_cells(refusal: Refusal, source: bytes) -> Refusal:
    places, at = Places(source), refusal.place
    line, file = places.of(at.line, at.file) if at else (None, None)
    return Refusal(places.text(refusal.message), Place(line, file) if line else None)
