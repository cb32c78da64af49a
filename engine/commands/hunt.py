"""`engine hunt SLUG`: a solution with one bug in it, and what somebody who runs it notices."""

import click

from engine.display import Page
from engine.hunting import HuntFiles
from engine.signed_in import signed_in
from engine.wire.challenges import ChallengeDetail
from engine.wire.hunts import Hunt


@click.command()
@click.argument("slug")
@click.option("--next", "wants_next", is_flag=True, help="Get another one, once you have solved the last.")
@click.option("--force", is_flag=True, help="Restore the original file, overwriting your changes.")
def command(slug: str, wants_next: bool, force: bool) -> None:
    """Get a solution with one bug to find and fix.

    For challenges that you have passed. Writes into the folder hunt/SLUG, and never over your changes unless you say
    --force. Submit the fixed file with engine submit-fix.
    """
    with signed_in() as client:
        challenge = client.challenge(slug)
        hunt = client.next_hunt(slug) if wants_next else client.hunt(slug)
    files = HuntFiles.of(slug, challenge, hunt)
    kept = files.write(force=force)
    page = Page()
    if hunt.is_solved:
        _tell_end(page, challenge, hunt)
    else:
        _tell_symptoms(page, challenge, hunt, files, kept=kept)


def _tell_symptoms(page: Page, challenge: ChallengeDetail, hunt: Hunt, files: HuntFiles, *, kept: bool) -> None:
    number = f", bug {hunt.number}" if hunt.number > 1 else ""
    page.say(f"Bug hunt in {challenge.title}{number}", "bold")
    page.say(f"{files.main} has one bug. Find it and fix it.", indent=2)
    if kept:
        page.say("Your changes there are kept; --force restores the original file.", "dim", indent=2)
    page.heading("Symptoms")
    seen = hunt.symptoms
    page.say(seen.text, indent=2)
    page.blank()
    page.say(f"Fails: {'; '.join(seen.fails)}", indent=2)
    page.say(f"Works: {'; '.join(seen.agrees) or 'nothing else'}", indent=2)
    if seen.case:
        page.say(f"First failing test: {seen.case}", indent=2)
    if seen.snippet:
        page.say(f"To run the smallest failing example: python {files.symptom}", indent=2)
    page.blank()
    page.say(f"At most {hunt.lines_max} lines may differ from the original file: fix it, do not rewrite it.")
    page.say(f"Submit it: engine submit-fix {files.main}")


def _tell_end(page: Page, challenge: ChallengeDetail, hunt: Hunt) -> None:
    tries = "the first try" if hunt.tries == 1 else f"{hunt.tries} tries"
    page.say(f"{page.glyphs.passed} Solved with {tries}: bug {hunt.number} in {challenge.title}.", "bold green")
    if hunt.cause is not None:
        page.blank()
        page.say(f"{hunt.cause.title}.", "bold", indent=2)
        page.say(hunt.cause.explanation, indent=2)
    if hunt.left:
        page.blank()
        page.say(f"Try another one, in a different style: engine hunt {challenge.slug} --next", "dim")
