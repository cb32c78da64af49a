"""What the client remembers of each server: the last submission, which file it was, a key not yet confirmed."""

import hashlib
import uuid
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ValidationError

from engine.config import Config, write_private
from engine.errors import WrongUsage
from engine.upload import Upload, read_source


class Sent(BaseModel, frozen=True, extra="ignore"):
    """A submission as it was sent. `sha256` is the main file's, to know later whether it is still the same text."""

    id: str
    path: Path
    sha256: str

    def source(self) -> bytes | None:
        """The file's text if it has not been changed since."""
        try:
            data = read_source(self.path)
        except (OSError, WrongUsage):
            return None
        return data if hashlib.sha256(data).hexdigest() == self.sha256 else None


class Pending(BaseModel, frozen=True, extra="ignore"):
    """A submission of which we do not know yet whether it has arrived."""

    challenge: str
    assignment: str | None = None
    digest: str
    key: str


class Notes(BaseModel, frozen=True, extra="ignore"):
    """The file's content, by server."""

    last: dict[str, Sent] = {}
    pending: dict[str, Pending] = {}


@dataclass(frozen=True)
class Memory:
    """A small private file beside the credentials. Losing it costs nothing but comfort."""

    file: Path
    server: str

    @classmethod
    def of(cls, config: Config) -> "Memory":
        """Opens the memory of the present server."""
        return cls(config.folder / "submissions.json", config.server)

    def last(self) -> Sent | None:
        """Recalls the last submission that was sent from here."""
        return self._notes().last.get(self.server)

    def key_for(self, upload: Upload, challenge: str, assignment: str | None = None) -> str:
        """The idempotency key: the old one when the very same thing was sent and no answer came, else a new one."""
        pending = self._notes().pending.get(self.server)
        sent = (challenge, assignment, upload.digest)
        if pending and (pending.challenge, pending.assignment, pending.digest) == sent:
            return pending.key
        fresh = Pending(challenge=challenge, assignment=assignment, digest=upload.digest, key=str(uuid.uuid4()))
        notes = self._notes()
        self._save(notes.model_copy(update={"pending": {**notes.pending, self.server: fresh}}))
        return fresh.key

    def arrived(self, upload: Upload, submission_id: str) -> None:
        """Notes that an upload has become this submission: its key is not needed any more."""
        notes = self._notes()
        sent = Sent(id=submission_id, path=upload.path.resolve(), sha256=hashlib.sha256(upload.source).hexdigest())
        pending = {server: value for server, value in notes.pending.items() if server != self.server}
        self._save(Notes(last={**notes.last, self.server: sent}, pending=pending))

    def forget(self) -> None:
        """Forgets what was sent: another student may have signed in."""
        notes = self._notes()
        self._save(
            Notes(
                last={server: value for server, value in notes.last.items() if server != self.server},
                pending={server: value for server, value in notes.pending.items() if server != self.server},
            )
        )

    def _notes(self) -> Notes:
        try:
            return Notes.model_validate_json(self.file.read_bytes())
        except (OSError, ValidationError):
            return Notes()

    def _save(self, notes: Notes) -> None:
        with suppress(OSError):  # a home that cannot be written to must not stop a submission
            write_private(self.file, notes.model_dump_json(indent=1))
