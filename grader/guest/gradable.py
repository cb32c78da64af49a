"""Is a submission gradable as sent? Standard library only, and nothing secret: the sandbox asks it of all that comes,
and the student's client before it sends anything.
"""

import ast
import codecs
import io
import sys
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import PurePosixPath

from grader.guest.definitions import find_definitions
from grader.guest.imports import OURS, MissingImport, missing_imports
from grader.guest.inspection import EntryPoint, Refusal, SourceRules, place_in
from grader.guest.needed import needed_names
from grader.guest.notebook import module_files
from grader.guest.order import order_refusal
from grader.guest.signatures import entry_point_refusal
from grader.guest.submission import Submission

TOO_DEEP = (
    "Python could not parse the file: it is too deeply nested or too large. Simplify the expression, "
    "or split it into several statements."
)

MIXED = {b"\t", b" "}
NO_CODE = {tokenize.ENCODING, tokenize.COMMENT, tokenize.STRING, tokenize.NL, tokenize.NEWLINE}

TAKEN = (*OURS, "torch")  # packages that a sandbox has imported before any submission comes


class _Refused(Exception):
    """`path` and `line` are where the student has to look."""

    def __init__(self, message: str, path: str = "", line: int | None = None) -> None:
        super().__init__(message)
        self.message, self.path, self.line = message, path, line

    def refusal(self, main: str) -> Refusal:
        return Refusal(self.message, None if self.line is None else place_in(self.path, self.line, main))


def refusal_of(submission: Submission, rules: SourceRules) -> Refusal | None:
    """Why it cannot be graded as sent, if so."""
    read = read_trees(submission, rules)
    return read if isinstance(read, Refusal) else None


def missing_libraries(submission: Submission, rules: SourceRules) -> list[str]:
    """What its files import and no exercise of this kind has: no mistake, as long as nothing of it is used."""
    trees = read_trees(submission, rules)
    if isinstance(trees, Refusal):
        return []
    files = frozenset(submission.files)
    missing = [each for path, tree in trees.items() for each in missing_imports(path, tree, files, rules.modules)]
    return sorted({each.module.partition(".")[0] for each in missing if not each.raises and not each.is_own})


def defined_entry_points(entry_points: Sequence[EntryPoint], path: str, tree: ast.Module) -> int | None:
    """How many of the entry points a file defines itself; nothing where one is not there, or has another signature."""
    trees = {path: tree}
    definitions = find_definitions(path, trees)
    for entry in entry_points:
        if order_refusal(entry, path, trees) or entry_point_refusal(entry, definitions, path):
            return None
    return sum(entry.name in definitions.nodes for entry in entry_points)


def read_trees(submission: Submission, rules: SourceRules) -> dict[str, ast.Module] | Refusal:
    """The syntax trees of its files by path, or why it cannot be graded as sent. Never raises, whatever was written."""
    try:
        _check_size(submission, rules)
        _check_names(submission, rules)
        sources = module_files(submission)
        trees = {path: _parse(_name(path, submission), path, source) for path, source in sources.items()}
        _check_imports(submission, trees, rules)
        _check_code(submission, trees[submission.main], rules)
        _check_entry_points(submission, trees, rules)
        main = submission.main
        if rules.starter and _is_unchanged(sources[main], rules.starter.encode()):
            begin = next((node.lineno for node in ast.walk(trees[main]) if isinstance(node, ast.Raise)), 1)
            raise _Refused(f"{submission.filename} is the unchanged starter: nothing is filled in yet.", main, begin)
    except _Refused as refused:
        return refused.refusal(submission.main)
    except (RecursionError, MemoryError):
        return Refusal(TOO_DEEP)
    return trees


def _check_size(submission: Submission, rules: SourceRules) -> None:
    too_large = submission.too_large(rules.source_bytes)
    if too_large:
        raise _Refused(too_large)
    if not submission.source.removeprefix(codecs.BOM_UTF8).strip():
        raise _Refused(f"{submission.filename} is empty. Save your work, then submit again.")


def _check_names(submission: Submission, rules: SourceRules) -> None:
    """Nothing is imported by a name that a library has: which of the two is meant would depend on who imported it
    first.
    """
    for path in submission.files:
        top = PurePosixPath(PurePosixPath(path).parts[0]).stem
        if top in sys.stdlib_module_names or top in rules.modules or top in TAKEN:
            what = f"The folder {top}" if "/" in path else _name(path, submission)
            raise _Refused(f"{what} has the name of a library, `{top}`: give it another name.", path, 1)


def _parse(name: str, path: str, source: bytes) -> ast.Module:
    _check_text(name, path, source)
    try:
        tree = ast.parse(source, filename=path)
        compile(tree, path, "exec", dont_inherit=True)  # finds what the parser lets pass, such as a stray `return`
        return tree
    except SyntaxError as error:
        end = "" if error.msg.endswith("?") else "."
        what = f"{type(error).__name__}: {error.msg}{end} {_slip(error, source)}".strip()
        raise _Refused(f"{name} is not valid Python, line {error.lineno}: {what}", path, error.lineno) from error
    except ValueError as error:
        raise _Refused(f"{name} is not valid Python: {error}.") from error


def _check_text(name: str, path: str, source: bytes) -> None:
    if source.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise _Refused(f"{name} is UTF-16 text: save it as UTF-8.", path, 1)
    nul = source.find(b"\0")
    if nul >= 0:
        line = source.count(b"\n", 0, nul) + 1
        raise _Refused(f"{name} has a NUL byte in line {line}: save it as plain UTF-8 text.", path, line)
    try:
        source.decode("utf-8-sig")
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        message = f"{name} is not UTF-8 text (line {line}): save it with that encoding."
        raise _Refused(message, path, line) from error
    except SyntaxError as error:
        message = f"{name} declares an encoding that Python does not know: {error}."
        raise _Refused(message, path, 1) from error
    if encoding not in ("utf-8", "utf-8-sig"):
        raise _Refused(f"{name} declares the encoding {encoding}; only UTF-8 is accepted.", path, 1)


def _check_imports(submission: Submission, trees: Mapping[str, ast.Module], rules: SourceRules) -> None:
    """Nothing can stand in for what an entry point surely needs. In other files it shows when the code is run."""
    needed = needed_names(trees[submission.main], [entry.name for entry in rules.entry_points])
    wanted = {entry.name for entry in rules.entry_points}
    files = frozenset(submission.files)
    for path, tree in trees.items():
        for missing in missing_imports(path, tree, files, rules.modules):
            is_needed = path == submission.main and missing.bound in {*needed, *wanted}
            if missing.is_certain and not missing.raises and (is_needed or not missing.has_stand_in):
                where = f"{_name(path, submission)}, line {missing.line}: "
                raise _Refused(where + missing.reason.message + _use(missing, needed), path, missing.line)


def _use(missing: MissingImport, needed: Mapping[str, int]) -> str:
    """Why nothing can stand in for it."""
    if missing.alias.name == "*" and not missing.is_own:
        return " Name what you take from it instead of `*`: then only what is used must be there."
    line = needed.get(missing.bound)
    return f" `{missing.bound}` is used in line {line}." if missing.has_stand_in and line is not None else ""


def _check_code(submission: Submission, tree: ast.Module, rules: SourceRules) -> None:
    """What stands outside functions in a notebook is not here any more."""
    is_text = all(isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in tree.body)
    if is_text and not submission.is_notebook:
        names = ", ".join(f"`{entry.name}`" for entry in rules.entry_points)
        raise _Refused(f"{submission.filename} is empty apart from comments: it must define {names}.")


def _check_entry_points(submission: Submission, trees: Mapping[str, ast.Module], rules: SourceRules) -> None:
    definitions = find_definitions(submission.main, trees)
    for entry in rules.entry_points:
        refusal = order_refusal(entry, submission.main, trees) or (
            entry_point_refusal(entry, definitions, submission.filename)
        )
        if refusal is not None:
            path = (refusal.place and refusal.place.file) or submission.main
            raise _Refused(refusal.message, path, refusal.place.line if refusal.place else None)


def _is_unchanged(source: bytes, starter: bytes) -> bool:
    """Whether only comments and strings, such as docstrings, set a file apart from the starter."""
    return all(one == other for one, other in zip_longest(_tokens(source), _tokens(starter)))


def _tokens(source: bytes) -> Iterator[str]:
    return (token.string for token in tokenize.tokenize(io.BytesIO(source).readline) if token.type not in NO_CODE)


def _name(path: str, submission: Submission) -> str:
    """What to call a file in a sentence."""
    return submission.filename if path == submission.main else path.rpartition("/")[2]


def _slip(error: SyntaxError, source: bytes) -> str:
    """What is often mixed up in it, or pasted along with Python."""
    line = error.text or ""
    if isinstance(error, IndentationError) and MIXED.issubset(found[:1] for found in source.splitlines()):
        return "Some lines are indented with tabs and others with spaces: use spaces everywhere."
    if line.lstrip().startswith("```"):
        return "Three backticks are Markdown: delete that line."
    if line.startswith(("<<<<<<<", "=======", ">>>>>>>")):
        return "Git marks a merge conflict so: keep one of the two versions, and delete the marks."
    if line.lstrip().startswith(">>>"):
        return "This is copied from an interactive session: delete `>>>` and `...` at the start of its lines."
    if line.lstrip().startswith(("!", "%")):
        return "That is a command for a notebook: delete the line, or submit the notebook itself."
    if set("\u201c\u201d\u2018\u2019") & set(line):
        return "These are curly quotation marks: type straight ones instead."
    return ""
