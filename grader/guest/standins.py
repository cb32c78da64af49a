"""Stand-ins for what a submission imports and is not there: importing it is no mistake, using it is.

A file that the exercise never touches may import anything. While the submission is imported, what is taken from a
stand-in, made with it or built on it is another one; afterwards a call raises, with a sentence for the student, and so
does whatever needs a real value at any time. Stand-ins are put where the import statement stands, and are not in
`sys.modules`: whoever asks if a library is there, as a guarded import does, is told the truth. Holds nothing secret.
"""

import ast
import sys
from abc import ABCMeta
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import CodeType, FrameType, FunctionType
from typing import Any, Final, NoReturn

from grader.guest.imports import MissingImport, missing_imports

MAKER: Final = "__stand_in__"  # what a module's own code calls it while it is imported
SHOWN: Final = 80  # characters of what a student wrote


@dataclass
class StandIns:
    """Compiles the files of one submission, with a stand-in for each import of what is not there."""

    files: Collection[str]
    modules: Collection[str]
    is_importing: bool = field(default=True, compare=False)

    def compile(self, path: str, source: bytes) -> CodeType:
        """The file's code; only what is missing makes it another than Python's own."""
        tree = ast.parse(source, filename=path)
        _replace(tree.body, path, missing_imports(path, tree, self.files, self.modules))
        return compile(tree, path, "exec", dont_inherit=True)

    def make(self, module: str, name: str, path: str, line: int, why: str, advice: str) -> Any:
        """What the import statement gives in place of what is missing."""
        what = f"{module}.{name}" if name else module
        return _new(_Said(_Origin(self, module, path, line, why, advice), what, is_value=False))


@dataclass(frozen=True)
class _Origin:
    """The import that a stand-in goes back to."""

    owner: StandIns
    module: str
    path: str
    line: int
    why: str
    advice: str

    def sentence(self, what: str, built: str) -> str:
        where = f"{self.path.rpartition('/')[2]}, line {self.line}"
        begins = f"`{built}` is built on `{what}`, which" if built else f"`{what}`"
        return f"{begins} {self.why} (`{self.module}` is imported in {where}). {self.advice}"


@dataclass(frozen=True)
class _Said:
    """What a stand-in stands for. `built` is the student's function or class that was made with it."""

    origin: _Origin
    what: str
    is_value: bool  # what a call gives: a class of the library's it may be, or a number
    built: str = ""
    path: str = ""
    line: int = 0

    def fail(self) -> NoReturn:
        """Raises in a line of the student's: the one that uses it, or else the one where it was made."""
        error = ModuleNotFoundError(
            self.origin.sentence(self.what[:SHOWN], self.built[:SHOWN]), name=self.origin.module
        )
        place = self.path or self.origin.path, self.line or self.origin.line
        if _own_line(self.origin.owner) is not None:
            raise error
        exec(compile("\n" * (place[1] - 1) + "raise error", place[0], "exec"), {"error": error})  # noqa: S102  our own
        raise error


def _own_line(owner: StandIns) -> tuple[str, int] | None:
    """The innermost line of the student's that is being run."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename in owner.files:
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return None


class NotAvailableHere(ABCMeta):
    """Of stand-ins, which are classes: so they can be caught, derived from and asked about. Nothing is caught by them
    and nothing is an instance, as it is where the library is not there. An ABCMeta, for those that derive from an ABC
    too; its name is what torch calls an argument that should be a tensor.
    """

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **_: Any) -> Any:
        if bases == (Exception,):
            return super().__new__(mcs, name, bases, namespace)
        base = next(base for base in bases if type(base) is mcs)
        said = _said(base)
        place = _own_line(said.origin.owner) or ("", 0)
        kept = {"__classcell__": namespace["__classcell__"]} if "__classcell__" in namespace else {}
        return _new(_Said(said.origin, said.what, is_value=False, built=name, path=place[0], line=place[1]), kept)

    def __init__(cls, *_: Any, **__: Any) -> None:
        pass

    def __getattribute__(cls, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            return super().__getattribute__(name)
        said = _said(cls)
        what = f"{said.built or said.what}.{name}"
        return _new(_Said(said.origin, what, is_value=said.is_value, path=said.path, line=said.line))

    def __call__(cls, *arguments: Any, **_: Any) -> Any:
        said = _said(cls)
        if not said.origin.owner.is_importing:
            said.fail()
        made = arguments[0] if arguments and isinstance(arguments[0], FunctionType | type) else None
        place = _own_line(said.origin.owner) or ("", 0)
        if made is None or type(made) is NotAvailableHere:
            what, built = f"{said.built or said.what}(...)", ""
        else:
            what, built = said.what.removesuffix("(...)"), str(made.__name__)
        return _new(_Said(said.origin, what, is_value=True, built=built, path=place[0], line=place[1]))

    def __getitem__(cls, _: object) -> Any:
        said = _said(cls)
        if said.is_value and not said.origin.owner.is_importing:
            said.fail()
        return cls

    def __setitem__(cls, *_: object) -> None:
        if not _said(cls).origin.owner.is_importing:
            _said(cls).fail()

    def __enter__(cls) -> Any:
        return cls()

    def __exit__(cls, *_: object) -> None:
        pass

    def __instancecheck__(cls, _: object) -> bool:
        return False

    def __subclasscheck__(cls, _: object) -> bool:
        return False

    def __eq__(cls, other: object) -> Any:
        if cls is not other and _said(cls).is_value:
            _said(cls).fail()
        return cls is other

    def __bool__(cls) -> bool:
        if _said(cls).is_value:
            _said(cls).fail()
        return True

    def __repr__(cls) -> str:
        said = _said(cls)
        return f"<{said.built or said.what}, which {said.origin.why}>"

    __hash__ = type.__hash__


def _fails(cls: Any, *_: object, **__: object) -> NoReturn:
    _said(cls).fail()


# What asks for a real value. `|` is left out: in an annotation it makes a type.
_ASKING: Final = (
    *("__iter__", "__next__", "__len__", "__contains__", "__await__", "__aiter__"),
    *("__int__", "__float__", "__index__", "__complex__", "__bytes__", "__fspath__", "__array__"),
    *("__lt__", "__le__", "__gt__", "__ge__", "__neg__", "__pos__", "__abs__", "__invert__"),
    *(f"__{side}{name}__" for side in ("", "r") for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")),
    *("__matmul__", "__rmatmul__", "__delitem__", "__buffer__"),
)
for _name in _ASKING:
    setattr(NotAvailableHere, _name, _fails)


class _StandIn(Exception, metaclass=NotAvailableHere):
    """What all stand-ins derive from: an exception, or `except library.Error` would be an error of its own."""


def _new(said: _Said, namespace: Mapping[str, Any] = {}) -> Any:
    return ABCMeta.__new__(NotAvailableHere, said.built or said.what, (_StandIn,), {**namespace, "__said__": said})


def _said(stand_in: Any) -> _Said:
    said: _Said = type.__getattribute__(stand_in, "__said__")
    return said


def _replace(body: list[ast.stmt], path: str, missing: Iterable[MissingImport]) -> None:
    """Puts an assignment in the place of what is missing of each import, or an exception where one is expected; the
    rest is imported as it was.
    """
    of: dict[ast.stmt, list[MissingImport]] = defaultdict(list)
    for each in missing:
        if each.has_stand_in or each.raises:
            of[each.statement].append(each)
    if not of:
        return
    for block in _blocks(body):
        block[:] = [new for statement in block for new in (_instead(statement, path, of.get(statement, ())))]


def _blocks(body: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """All lists of statements."""
    waiting = [body]
    while waiting:
        block = waiting.pop()
        yield block
        for statement in block:
            waiting += [getattr(statement, name, []) for name in ("body", "orelse", "finalbody")]
            waiting += [inner.body for name in ("handlers", "cases") for inner in getattr(statement, name, ())]


def _instead(statement: ast.stmt, path: str, missing: Collection[MissingImport]) -> Iterator[ast.stmt]:
    if not missing or not isinstance(statement, ast.Import | ast.ImportFrom):
        yield statement
        return
    by_alias = {id(each.alias): each for each in missing}
    for alias in statement.names:
        each = by_alias.get(id(alias))
        if each is None:
            fields = {name: getattr(statement, name) for name in statement._fields} | {"names": [alias]}
            yield ast.copy_location(type(statement)(**fields), statement)
        else:
            yield _located(_exception(each) if each.raises else _assignment(each, path), statement)


def _exception(each: MissingImport) -> ast.Raise:
    said = ast.Constant(f"No module named {each.module!r}: it {each.reason.why}. {each.reason.advice}")
    name = ast.keyword("name", ast.Constant(each.module))
    return ast.Raise(ast.Call(ast.Name(ModuleNotFoundError.__name__, ast.Load()), [said], [name]))


def _assignment(each: MissingImport, path: str) -> ast.Assign:
    is_whole = isinstance(each.statement, ast.Import) and each.alias.asname is None
    module = each.module.partition(".")[0] if is_whole else each.module
    told = (module, each.name, path, each.line, each.reason.why, each.reason.advice)
    call = ast.Call(ast.Name(MAKER, ast.Load()), [ast.Constant(value) for value in told], [])
    return ast.Assign([ast.Name(each.bound, ast.Store())], call)


def _located(node: ast.stmt, at: ast.stmt) -> ast.stmt:
    for each in ast.walk(node):
        ast.copy_location(each, at)
    return node
