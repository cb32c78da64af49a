"""`engine init` in a project that is there already: finds its parts, shows them, and writes `engine.toml`."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from rich.text import Text

from engine.cleaning import clean_line
from engine.client import Client
from engine.display import Page
from engine.errors import WrongUsage
from engine.finding import Found, best_of, find_parts
from engine.outcome import is_conversation
from engine.parts import NAME, PartFile, written
from engine.project import Project
from engine.wire.challenges import ChallengeDetail


@dataclass(frozen=True)
class Proposal:
    """What `engine.toml` is to say, and what else a student may have meant."""

    parts: tuple[Found, ...]
    others: dict[str, list[str]]  # challenge -> further files that answer it
    left_out: dict[str, str]  # challenge -> the one that asks for the same functions, and was taken instead


def init_project(client: Client, page: Page, folder: Path, *, force: bool, yes: bool) -> None:
    """Raises WrongUsage where there is nothing to write, or nobody to ask."""
    file = folder / NAME
    if file.exists() and not force:
        raise WrongUsage(f"{NAME} is here already.", "Edit it, or write it anew: engine init --force")
    challenges = [client.challenge(item.slug) for item in client.challenges()]
    wanted = {standing.challenge for standing in client.me().assignments}
    noted = set(Project.read(folder).challenges.values()) if not file.exists() else set()
    proposal = propose(find_parts(folder, challenges), challenges, wanted | noted)
    if not proposal.parts:
        raise WrongUsage(
            "No file here defines what an exercise asks for, by its name and signature.",
            "`engine challenges` lists the exercises; get a starter with: engine init SLUG",
        )
    show(page, proposal)
    if not yes:
        if not is_conversation():
            raise WrongUsage("Nothing was written: nobody is here to say yes.", "Write it: engine init --yes")
        if not click.confirm(f"Write {NAME}?", default=True):
            page.say("Nothing was written.")
            return
    file.write_text(written(PartFile(part.challenge, part.file) for part in proposal.parts), encoding="utf-8")
    page.say(f"{NAME} is written: correct it where it is wrong. Submit all parts: engine submit-build", "green")


def propose(found: Sequence[Found], challenges: Iterable[ChallengeDetail], wanted: Collection[str]) -> Proposal:
    """The best file for each challenge. Of challenges that ask the same of the same file, those that are `wanted`; else
    the first that the server names.
    """
    best = best_of(found)
    alike: dict[tuple[object, ...], list[str]] = defaultdict(list)
    for challenge in challenges:
        if challenge.slug in best:
            names = tuple(entry.name for entry in challenge.entry_points)
            alike[best[challenge.slug].file, names].append(challenge.slug)
    kept = {slugs[0]: [slug for slug in slugs if slug in wanted] or slugs[:1] for slugs in alike.values()}
    taken = [slug for slugs in kept.values() for slug in slugs]
    left_out = {slug: kept[slugs[0]][0] for slugs in alike.values() for slug in slugs if slug not in taken}
    others = {
        slug: [each.file for each in found if each.challenge == slug and each.file != best[slug].file] for slug in taken
    }
    return Proposal(tuple(best[slug] for slug in taken), others, left_out)


def show(page: Page, proposal: Proposal) -> None:
    """A line for each part."""
    page.put(Text("This project answers", "bold"))
    width = max(len(part.challenge) for part in proposal.parts)
    for part in proposal.parts:
        others = proposal.others[part.challenge]
        also = f"  (also: {', '.join(map(clean_line, others[:3]))})" if others else ""
        page.put(Text(f"{part.challenge.ljust(width)}  {clean_line(part.file)}{also}"), indent=2)
    for slug, instead in proposal.left_out.items():
        page.say(f"{slug} asks for the same functions as {instead}: name it in {NAME} if you mean it.", "dim", indent=2)
    page.blank()
