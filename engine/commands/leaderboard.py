"""`engine leaderboard`: who shows how fast their code is, and joining them."""

from typing import Final

import click
from rich.text import Text

from engine.cleaning import clean_line
from engine.client import Client
from engine.display import Page
from engine.errors import WrongUsage
from engine.signed_in import signed_in
from engine.tables import Column, show_table
from engine.wire.leaderboard import Interval, Leaderboard, MyEntry

STANDINGS: Final = {
    "waiting": "Your code is waiting to be measured. That happens when no submission is waiting to be graded.",
    "not_ranked": "Your code could not be ranked.",
    "not_passed": "None of your submissions passes any more, so you are not shown.",
    "removed": "The course's staff removed your entry. Ask them to let you join again.",
    "held": "Grades are held, so nobody is shown until they are released.",
}


@click.command()
@click.argument("assignment", metavar="[COURSE/ASSIGNMENT]", required=False)
@click.option("--by", "order", type=click.Choice(["time", "memory"]), default="time", help="What to rank by.")
@click.option("--join", is_flag=True, help="Show how fast your code is, under a pseudonym.")
@click.option("--as", "pseudonym", metavar="PSEUDONYM", help="With --join: the pseudonym; otherwise a random one.")
@click.option("--leave", is_flag=True, help="Delete your entry, at once.")
def command(assignment: str | None, order: str, join: bool, pseudonym: str | None, leave: bool) -> None:
    """Show an assignment's leaderboard, join it or leave it.

    Others in the course see your pseudonym and how much time and memory your code takes, and nothing else.
    """
    if (join and leave) or (pseudonym is not None and not join):
        raise WrongUsage("Use either --join, with or without --as, or --leave.", "See `engine leaderboard --help`.")
    with signed_in() as client:
        address = assignment or _only_one(client)
        if leave:
            client.leave_leaderboard(address)
            click.echo("You left the leaderboard. Your entry is deleted.")
            return
        if join:
            client.join_leaderboard(address, pseudonym)
        board = client.leaderboard(address, order)
    _tell(Page(), board, address)


def _only_one(client: Client) -> str:
    found = [each.address for each in client.me().assignments if each.has_leaderboard]
    if len(found) == 1:
        return found[0]
    if not found:
        raise WrongUsage("None of your open assignments has a leaderboard.", "Name a closed one as COURSE/ASSIGNMENT.")
    raise WrongUsage(f"Several assignments have a leaderboard: {', '.join(found)}.", "Name one of them.")


def _tell(page: Page, board: Leaderboard, address: str) -> None:
    page.say(f"Leaderboard of {board.title}", "bold")
    if board.mine is not None:
        page.say(_about(board.mine))
    elif board.is_held:
        page.say(STANDINGS["held"])
    elif board.may_join:
        page.say(f"You can join: engine leaderboard {address} --join")
    if not board.rows:
        page.say("Nobody is shown yet.")
        return
    rows = []
    for row in board.rows:
        rank = f"{row.rank} tied" if row.is_shared else str(row.rank)
        mine = f"{page.glyphs.arrow} you" if row.is_mine else ""
        figures = (_figure(page, row.time), _figure(page, row.memory))
        rows.append([Text(cell) for cell in (rank, clean_line(row.pseudonym), *figures, mine)])
    show_table(page, [Column(title) for title in ("Rank", "Pseudonym", "Time", "Memory", "")], rows)
    page.say(
        f"1.00{page.glyphs.times} is the reference, a plain correct answer. Those who are tied are too close to tell "
        "apart.",
        "dim",
    )


def _about(mine: MyEntry) -> str:
    said = STANDINGS.get(mine.standing)
    if said is None:
        return f"You are {mine.pseudonym}."
    return f"{said} {mine.problem}" if mine.problem else said


def _figure(page: Page, interval: Interval | None) -> str:
    if interval is None:
        return "-"
    return f"{interval.median:.2f}{page.glyphs.times} ({interval.low:.2f} to {interval.high:.2f})"
