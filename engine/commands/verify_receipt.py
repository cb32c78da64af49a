"""`engine verify-receipt`: is this verdict really the server's, and of this file?"""

from pathlib import Path

import click

from engine.client import Client
from engine.config import Config
from engine.display import Page
from engine.errors import NotGenuine, WrongUsage
from engine.failures import number
from engine.recall import recall
from engine.receipts import KeyRing, key_id, key_in, verified
from engine.wire.receipts import PublicKey, Receipt
from engine.wire.submissions import Submission

LONGEST = 1 << 20


@click.command()
@click.argument("what", metavar="[ID|FILE]", required=False)
@click.option(
    "--key",
    "key_file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Use the public key in this file.",
)
@click.option("--accept-new-key", is_flag=True, help="Trust the server's new key.")
@click.option("--save", type=click.Path(path_type=Path, dir_okay=False), help="Save the receipt to this file.")
def command(what: str | None, key_file: Path | None, accept_new_key: bool, save: Path | None) -> None:
    """Check a signed receipt: of a submission (the last one by default), or in a file.

    The server's key is remembered when it is first seen; later ones must be the same. Exit code 0 if it is
    genuine, 1 if it is not.
    """
    config = Config.read()
    page, submission = Page(), None
    if what is not None and Path(what).is_file():
        text = _read(Path(what))
    else:
        with Client(config, Page(stderr=True).say) as client:
            submission = recall(client, what).submission
        text = _receipt_of(submission)
    wanted = key_id(text)
    key = key_in(key_file) if key_file else _trusted(config, wanted, accept_new_key=accept_new_key)
    receipt = verified(text, key)
    if submission is not None:
        _agrees(receipt, submission)
    if save is not None:
        save.write_text(text + "\n", encoding="utf-8")
    _tell(page, receipt, wanted)


def _read(path: Path) -> str:
    if path.stat().st_size > LONGEST:
        raise WrongUsage(f"{path} is too large for a receipt.")
    return path.read_text(encoding="utf-8", errors="replace").strip()


def _receipt_of(submission: Submission) -> str:
    if submission.receipt is None:
        why = "it is not graded yet" if not submission.state.is_final else "the server has none for it"
        raise WrongUsage(f"Submission {submission.id} has no receipt: {why}.")
    return submission.receipt


def _trusted(config: Config, wanted: str, *, accept_new_key: bool) -> PublicKey:
    """The pinned key of that name. The first time, and when told to, the server's keys are pinned."""
    ring = KeyRing.of(config)
    pinned = ring.trusted()
    if not pinned or (accept_new_key and wanted not in {key.kid for key in pinned}):
        with Client(config) as client:
            offered = client.receipt_keys()
        ring.pin(offered)
        Page(stderr=True).say(f"From now on, receipts from {config.server} are checked with its current key.")
    found = next((key for key in ring.trusted() if key.kid == wanted), None)
    if found is None:
        raise NotGenuine(
            "This receipt is signed with an untrusted key.",
            "If the server has announced a new key: engine verify-receipt --accept-new-key",
        )
    return found


def _agrees(receipt: Receipt, submission: Submission) -> None:
    said, shown = (
        (receipt.submission, receipt.verdict, receipt.score),
        (submission.id, submission.verdict, submission.score),
    )
    if said != shown:
        raise NotGenuine(
            f"The receipt says {receipt.verdict}, {number(receipt.score)} points, for submission {receipt.submission}; "
            f"the server shows {submission.verdict}, {number(submission.score or 0)}, for {submission.id}.",
            "Tell your instructor.",
        )


def _tell(page: Page, receipt: Receipt, kid: str) -> None:
    page.say(
        f"Genuine: {receipt.verdict}, {number(receipt.score)} of {number(receipt.max_score)} points.", "bold green"
    )
    environment = receipt.environment
    for name, value in (
        ("submission", f"{receipt.submission}, attempt {receipt.attempt}, by {receipt.student}"),
        ("challenge", f"{receipt.challenge.slug}, version {receipt.challenge.version}"),
        ("sent", f"sha256 {receipt.sha256}"),
        ("graded", f"{receipt.graded_at:%Y-%m-%d %H:%M:%S %Z}, on {environment.device}, torch {environment.torch}"),
        ("sandbox", environment.sandbox),
        ("key", kid),
    ):
        page.say(f"{name:<11} {value}", indent=2)
