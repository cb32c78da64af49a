"""Proves that students are not given the answer."""

import ast

from grader.exercise import Exercise


def shown_lines(exercise: Exercise) -> list[str]:
    """Lines of the reference, longer than a word or two, that stand in what students are given."""
    challenge = exercise.challenge
    given = challenge.spec() + challenge.starter().decode() + challenge.questions_path.read_text(encoding="utf-8")
    given += "".join(source.decode() for source in challenge.support.values())
    given += "".join(path.read_text(encoding="utf-8") for path in challenge.hunt_folder.glob("*.py"))
    lines = (line.strip() for line in _without_given(exercise).splitlines() if " = " in line or "return " in line)
    return [line for line in lines if len(line) > 30 and line in given]


def _without_given(exercise: Exercise) -> str:
    """The reference without what the starter has whole, unless students are to write it: that is no secret."""
    asked = {entry.name for entry in exercise.challenge.manifest.entry_points}
    given = {ast.dump(node) for node in ast.parse(exercise.challenge.starter()).body}
    source = exercise.reference_source.decode()
    kept = [
        node for node in ast.parse(source).body if getattr(node, "name", "") in asked or ast.dump(node) not in given
    ]
    return "\n".join(ast.get_source_segment(source, node) or "" for node in kept)
