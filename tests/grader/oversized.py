"""Submissions that are too large or too odd to be kept as files, made when they are needed."""

from collections.abc import Iterator
from dataclasses import replace

from tests.grader.corpus import FOLDER, Entry, entry, main_of

SLUG = "mha-rope"
MAIN = main_of(SLUG)
RIGHT = (FOLDER / SLUG / "passed" / "follows_the_handout_step_by_step.py").read_bytes()
KIB = 1024


def oversized() -> Iterator[Entry]:
    """Named and judged like the files of the corpus."""
    for name, (expected, source) in (_rejected() | _too_deep()).items():
        made = entry(SLUG, "rejected", f"made_{name}", {MAIN: source})
        yield replace(made, kind="Rejected", expected=expected)
    for name, source in _passed().items():
        yield entry(SLUG, "passed", f"made_{name}", {MAIN: source})


def _rejected() -> dict[str, tuple[str, bytes]]:
    return {
        "empty": ("empty", b""),
        "white_space": ("empty", b" \n\t\n\r\n"),
        "only_a_byte_order_mark": ("empty", b"\xef\xbb\xbf"),
        "nul_alone": ("NUL byte", b"\0"),
        "utf_16": ("UTF-16", RIGHT.decode().encode("utf-16")),
        "utf_32": ("NUL byte", RIGHT.decode().encode("utf-32-le")),
        "every_byte": ("NUL byte", bytes(range(256)) * 8),
        "high_bytes": ("not UTF-8", bytes(range(128, 256)) * 8),
        "cut_within_a_character": ("not UTF-8", RIGHT + "# √".encode()[:-1]),
        "surrogates": ("not UTF-8", RIGHT + "# \ud800".encode("utf-8", "surrogatepass")),
        "300_kib": ("the limit is 262,144", RIGHT + b"#" * (300 * KIB)),
        "a_million_lines": ("the limit is 262,144", RIGHT + b"\n" * 1_000_000),
        "sixteen_mib": ("the limit is 262,144", b"x = 1\n" * (16 * KIB * KIB // 6)),
        "a_number_of_many_digits": ("not valid Python", RIGHT + b"\nx = " + b"9" * 100_000 + b"\n"),
        "too_many_indents": ("not valid Python", RIGHT + _indented(150)),
        "too_many_blocks": ("not valid Python", RIGHT + _nested_loops(30)),
        "unclosed_many": ("not valid Python", RIGHT + b"(" * 150_000),
    }


def _too_deep() -> dict[str, tuple[str, bytes]]:
    """Each asks too much of the parser or of the compiler."""
    deep = {
        "parentheses": b"x = " + b"(" * 100_000 + b"1" + b")" * 100_000,
        "lists": b"x = " + b"[" * 90_000 + b"]" * 90_000,
        "minus_signs": b"x = " + b"-" * 200_000 + b"1",
        "nots": b"x = " + b"not " * 50_000 + b"1",
        "sums": b"x = " + b"1+" * 100_000 + b"1",
        "attributes": b"x = a" + b".b" * 100_000,
        "calls": b"x = a" + b"()" * 100_000,
        "lambdas": b"x = " + b"lambda:" * 30_000 + b"1",
        "conditions": b"x = " + b"1 if 1 else " * 20_000 + b"1",
        "powers": b"x = " + b"1**" * 80_000 + b"1",
        "elifs": b"if x: pass\n" + b"elif x: pass\n" * 18_000,
    }
    return {f"deep_{name}": ("", RIGHT + b"\n" + source + b"\n") for name, source in deep.items()}


def _passed() -> dict[str, bytes]:
    return {
        "long_comment_line": RIGHT + b"# " + b"x" * (200 * KIB) + b"\n",
        "long_string_line": RIGHT + b"\nTEXT = '" + b"y" * (200 * KIB) + b"'\n",
        "two_hundred_thousand_empty_lines": RIGHT + b"\n" * 200_000,
        "twenty_thousand_statements": RIGHT + b"x = 1\n" * 20_000,
        "a_long_list": RIGHT + b"\nx = [" + b"1," * 100_000 + b"]\n",
    }


def _indented(depth: int) -> bytes:
    return b"".join(b" " * level + b"if 1:\n" for level in range(depth)) + b" " * depth + b"pass\n"


def _nested_loops(depth: int) -> bytes:
    return b"".join(b" " * level + b"for i in x:\n" for level in range(depth)) + b" " * depth + b"pass\n"
