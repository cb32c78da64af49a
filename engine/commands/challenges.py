"""`engine challenges`: what there is to build."""

import click
from rich.text import Text

from engine.cleaning import clean_line
from engine.display import Page, plain
from engine.signed_in import signed_in


@click.command()
def command() -> None:
    """List the challenges."""
    page = Page()
    with signed_in() as client:
        challenges = client.challenges()
    if not challenges:
        page.say("There are no challenges yet. Ask your instructor.")
        return
    for challenge in challenges:
        name = (clean_line(challenge.slug), "bold cyan")
        page.put(Text.assemble(name, (f"  {clean_line(challenge.title)}", "bold")))
        page.put(plain(challenge.summary), indent=4)
    page.blank()
    page.say(f"Start one: engine init {challenges[0].slug}", "dim")
