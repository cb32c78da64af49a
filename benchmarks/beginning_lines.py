"""How often the line is right that is told of a mistake without a name: python -m benchmarks.beginning_lines

Takes the accepted answers of an exercise, makes one change on one line of each, and grades as many as are wanted that
fail by their values and get no name. As written by nobody who makes mistakes, they tell of the lines alone: which line
was changed is known. [--only mha-rope] [--answers 40] [--draw 1] [--list]
"""

import argparse
import ast
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import torch

from grader.challenge import Challenge, load_challenges
from grader.exercise import exercise_of
from grader.grade import grade
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.report import Report, Verdict

SEED = 7
CHALLENGES = ("mha-functional", "mha-homework", "mha-module", "mha-rope", "mha-rope-causal", "rmsnorm")
OTHER_OPERATORS = {ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.Div: "*"}
SMALL = 5  # whole numbers below it are axes, steps and exponents


@dataclass(frozen=True)
class Changed:
    """An accepted answer with one change."""

    name: str
    line: int
    source: str


def changes(name: str, source: str) -> Iterator[Changed]:
    """Each expression on one line: another operator, a factor, numbers in another order, another whole number."""
    lines = source.encode().split(b"\n")
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.expr) or node.lineno != node.end_lineno:
            continue
        line, begin, end = lines[node.lineno - 1], node.col_offset, node.end_col_offset
        for text in _instead_of(node, source):
            changed = [*lines]
            changed[node.lineno - 1] = line[:begin] + text.encode() + line[end:]
            yield Changed(name, node.lineno, b"\n".join(changed).decode())


def _instead_of(node: ast.expr, source: str) -> Iterator[str]:
    text = ast.get_source_segment(source, node)
    match node:
        case ast.BinOp(left, operator, right):
            left_text, right_text = (ast.get_source_segment(source, side) for side in (left, right))
            if (other := OTHER_OPERATORS.get(type(operator))) is not None:
                yield f"(({left_text}) {other} ({right_text}))"
            yield f"(0.7 * ({text}))"
        case ast.Call(ast.Attribute()):
            yield f"(1.1 * ({text}))"
            yield f"({text}).roll(1, -2)"
        case ast.Constant(int() as number) if abs(number) < SMALL and not isinstance(number, bool):
            yield str(number + 1)
        case _:
            return


def unnamed(challenge: Challenge, answers: int, draw: int) -> Iterator[tuple[Changed, Report]]:
    """Of as many changed answers the reports that name nothing, and have values to compare."""
    exercise, main = exercise_of(challenge), challenge.manifest.default_path
    accepted = [(each.name, each.submission.files[main].decode()) for each in exercise.variants("accepted")]
    changed = [one for name, source in accepted for one in changes(name, source)]
    random.Random(draw).shuffle(changed)
    for one in changed:
        submission = Submission(main, {main: one.source.encode()}, challenge.support)
        report = grade(challenge, submission, SEED, InProcess(), is_timed=False)
        if report.verdict is Verdict.FAILED and not report.diagnoses and report.breakdown is None:
            yield one, report
            answers -= 1
        if not answers:
            return


def told(one: Changed, report: Report) -> str:
    """How the line that the report points to lies to the one that was changed."""
    if report.guidance is None or report.guidance.line is None:
        return "no line"
    if report.guidance.line == one.line:
        return "exact"
    if f"line {one.line} " in report.guidance.message:
        return "named beside another"
    return "one off" if abs(report.guidance.line - one.line) == 1 else "another line"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=CHALLENGES)
    parser.add_argument("--answers", type=int, default=40, help="without a name, of each exercise")
    parser.add_argument("--draw", type=int, default=1, help="another one changes other places")
    parser.add_argument("--list", action="store_true", help="also print each")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    for slug in CHALLENGES:
        if asked.only in (None, slug):
            found = Counter[str]()
            for one, report in unnamed(load_challenges()[slug], asked.answers, asked.draw):
                found[told(one, report)] += 1
                if asked.list:
                    print(f"  {told(one, report)}: {one.name}, line {one.line}: {report.summary}", flush=True)
            print(f"{slug}: {', '.join(f'{count} {how}' for how, count in found.most_common())}", flush=True)


if __name__ == "__main__":
    main()
