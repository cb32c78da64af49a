"""`engine open`: the result's web page."""

import webbrowser
from urllib.parse import urljoin, urlsplit

import click

from engine.cleaning import clean_line
from engine.display import Page
from engine.errors import ServerNotUnderstood
from engine.recall import recall
from engine.signed_in import signed_in


@click.command()
@click.argument("submission_id", metavar="[ID]", required=False)
def command(submission_id: str | None) -> None:
    """Open a submission's result in the web browser.

    Prints the address, so that you can also open it elsewhere.
    """
    with signed_in() as client:
        submission = recall(client, submission_id).submission
    address = _page_at(client.server, submission.links.web or "")
    if address is None:
        raise ServerNotUnderstood(
            f"{client.server} has no web page for this submission.", f"See it here: engine status {submission.id}"
        )
    click.echo(clean_line(address))
    if not webbrowser.open(address):
        Page(stderr=True).say("No browser could be opened here. Open the address yourself.", "dim")


def _page_at(server: str, link: str) -> str | None:
    """The address of a page of this server. None for one elsewhere, and for what is no address: the browser gets it as
    it is.
    """
    if not link or not link.isascii() or not link.isprintable() or " " in link:
        return None
    try:
        address = urljoin(server + "/", link)
        return address if urlsplit(address)[:2] == urlsplit(server)[:2] else None
    except ValueError:  # brackets that do not close
        return None
