"""`engine init` in a project that is there already: finds its parts, shows them, and writes `engine.toml`; for what
nearly answers an exercise it writes a patch.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from rich.text import Text

from engine.adapters import PATCH, Adapter, adapter_for, patch_of
from engine.candidates import Fit, NearAnswer, near_answers
from engine.cleaning import clean_line
from engine.client import Client
from engine.display import Page
from engine.errors import WrongUsage
from engine.finding import Found, best_of, find_parts, read_trees
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
    trees = read_trees(folder)
    found = find_parts(trees, challenges)
    proposal = propose(found, challenges, wanted | noted)
    answered = best_of(found)
    unanswered = [each for each in challenges if each.slug not in answered and each.slug in (wanted or {each.slug})]
    near = near_answers(trees, unanswered)
    if not proposal.parts and not near:
        raise WrongUsage(
            "No file here defines what an exercise asks for, by its name and signature.",
            "`engine challenges` lists the exercises; get a starter with: engine init SLUG",
        )
    adapters = [adapter for each in near if (adapter := adapter_for(folder, each)) is not None]
    show(page, proposal)
    show_near(page, near)
    names = [*([NAME] if proposal.parts else []), *([PATCH] if adapters else [])]
    if names and _may_write(page, " and ".join(names), yes=yes):
        _write(page, folder, proposal, adapters)


def _may_write(page: Page, names: str, *, yes: bool) -> bool:
    """Raises WrongUsage where there is nobody to ask."""
    if yes:
        return True
    if not is_conversation():
        raise WrongUsage("Nothing was written: nobody is here to say yes.", "Write it: engine init --yes")
    agreed = click.confirm(f"Write {names}?", default=True)
    if not agreed:
        page.say("Nothing was written.")
    return agreed


def _write(page: Page, folder: Path, proposal: Proposal, adapters: Sequence[Adapter]) -> None:
    parts = [PartFile(part.challenge, part.file) for part in proposal.parts]
    if parts:
        (folder / NAME).write_text(written(parts), encoding="utf-8", newline="\n")
        page.say(f"{NAME} is written: correct it where it is wrong. Submit all parts: engine submit-build", "green")
    if adapters:
        (folder / PATCH).write_text(patch_of(folder, parts, adapters), encoding="utf-8", newline="\n")
        files = ", ".join(clean_line(adapter.file) for adapter in adapters)
        page.say(f"{PATCH} is written. It adds {files} and the lines for {NAME}.", "green")
        page.say(f"Read it first: a name can mislead. Then apply it: git apply {PATCH}")


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
    if not proposal.parts:
        return
    page.put(Text("This project answers", "bold"))
    width = max(len(part.challenge) for part in proposal.parts)
    for part in proposal.parts:
        others = proposal.others[part.challenge]
        also = f"  (also: {', '.join(map(clean_line, others[:3]))})" if others else ""
        page.put(Text(f"{part.challenge.ljust(width)}  {clean_line(part.file)}{also}"), indent=2)
    for slug, instead in proposal.left_out.items():
        page.say(f"{slug} asks for the same functions as {instead}: name it in {NAME} if you mean it.", "dim", indent=2)
    page.blank()


def show_near(page: Page, near: Sequence[NearAnswer]) -> None:
    """Prints what each exercise asks for, and which definition of the project may be meant."""
    if not near:
        return
    page.put(Text("Nearly: under another name, in another order, or spread over several files", "bold"))
    for each in near:
        also = f" (and {', '.join(each.alike)})" if each.alike else ""
        page.say(f"{each.challenge.slug}{also}", indent=2)
        for candidate in each.candidates:
            if not candidate.is_exact:
                page.say(f"asked for: {candidate.entry.written}", indent=4)
            page.say(f"there is:  {candidate.signature} in {candidate.file}, line {candidate.node.lineno}", indent=4)
        if not each.can_be_adapted:
            page.say(_too_different(each), "yellow", indent=4)
    page.blank()


def _too_different(near: NearAnswer) -> str:
    names = ", ".join(candidate.entry.name for candidate in near.candidates if candidate.fit is Fit.NOT)
    told = f"Too different for an adapter: define {names} as asked, and call your own code there."
    if all(candidate.is_of_its_kind for candidate in near.candidates):
        return told
    return f"{told} Give weights to a module with torch.func.functional_call: copied into it they get no gradient."
