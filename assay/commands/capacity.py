"""`assay capacity`: how long students would wait at a deadline, and what it would cost."""

import click
from rich.console import Console
from rich.table import Table

from assay.capacity import SECONDS_EACH, Costs, Deadline, SimulationResult, quantile, simulate

PARTS = (0.5, 0.95, 0.99)
HEADINGS = (
    *("judges", "busy", "longest line", "superseded", "p50", "p95", "p99"),
    *("first p50", "first p95", "all done after", "cost"),
)


@click.command()
@click.option("--students", type=click.IntRange(1, 10_000_000), required=True, help="How many students there are.")
@click.option(
    "--uploads", type=click.IntRange(1, 10_000_000), help="How many uploads in all. [default: 4 for each student]"
)
@click.option(
    "--within",
    type=click.FloatRange(1.0),
    default=3600.0,
    show_default=True,
    help="Within how many seconds they arrive.",
)
@click.option(
    "--sharpness",
    type=click.FloatRange(0.0, 50.0),
    default=1.0,
    show_default=True,
    help="How they crowd towards the end: 0 evenly, 1 steadily more, 4 mostly at the very end.",
)
@click.option(
    "--judges",
    type=click.IntRange(1, 100_000),
    multiple=True,
    default=(2,),
    show_default=True,
    help="Submissions graded at a time, one on each processor. Several times for several rows.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.001),
    default=SECONDS_EACH,
    show_default=True,
    help="How long a judge takes for one; docs/performance.md has measurements.",
)
@click.option(
    "--upload-seconds",
    type=click.FloatRange(0.0),
    default=0.0,
    show_default=True,
    help="Processor time for each upload, if the front end shares the judges' processors.",
)
@click.option(
    "--supersede", is_flag=True, help="A newer upload replaces one that is still waiting, as in an assignment."
)
@click.option(
    "--price", type=click.FloatRange(0.0), default=0.04, show_default=True, help="The price of a processor for an hour."
)
def command(
    students: int,
    uploads: int | None,
    within: float,
    sharpness: float,
    judges: tuple[int, ...],
    seconds: float,
    upload_seconds: float,
    supersede: bool,
    price: float,
) -> None:
    """Simulate a deadline: how long would students wait, with how many judges?

    \b
      assay capacity --students 500 --uploads 2000 --within 60 --judges 2
      assay capacity --students 100000 --within 86400 --sharpness 4 --supersede --judges 32 --judges 64
    """
    deadline = Deadline(students, uploads or 4 * students, within, sharpness, supersede)
    costs = Costs(seconds, upload_seconds)
    rate = f"{deadline.peak_per_s:.3g} a second at the end"
    click.echo(f"{deadline.uploads:,} uploads by {students:,} students in {_span(within)}, {rate}")
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in HEADINGS:
        table.add_column(heading, justify="right")
    for number in judges:
        table.add_row(f"{number:,}", *_cells(simulate(deadline, number, costs), number, costs, price))
    Console(width=110, highlight=False).print(table)


def _cells(outcome: SimulationResult, judges: int, costs: Costs, price: float) -> list[str]:
    hours = judges * outcome.ended / 3600
    return [
        f"{len(outcome.waits) * costs.grade_s / (judges * outcome.ended):.0%}",
        f"{outcome.longest_line:,}",
        f"{outcome.superseded:,}",
        *(_span(quantile(outcome.waits, part)) for part in PARTS),
        *(_span(quantile(outcome.first_waits, part)) for part in PARTS[:2]),
        _span(outcome.ended),
        f"{hours * price:,.2f}",
    ]


def _span(seconds: float) -> str:
    if seconds < 600:
        return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
