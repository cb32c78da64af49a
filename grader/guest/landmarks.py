"""Where in the source a step of the exercise probably stands: lines on which tell-tale names are used.

Standard library only, nothing secret.
"""

import ast
from collections.abc import Iterator, Set
from dataclasses import dataclass

from grader.guest.callgraph import CallGraph, Function
from grader.guest.inspection import Landmark, Place, SourceRules, place_in
from grader.guest.overwriting import OVERWRITES, writes_into_arguments

# By these, values leave the graph of gradients, in any exercise. Layers hold their weights in `Parameter` anyway: it
# tells something only where there is none of the others.
WAYS_OUT_OF_THE_GRAPH = (
    frozenset({"data", "detach", "detach_", "numpy", "from_numpy", "load_state_dict"})
    | frozenset({"no_grad", "inference_mode", "set_grad_enabled"}),
    frozenset({"Parameter"}),
)
# By these, a call may give other numbers when it is made again: some are dropped or drawn,
# are left as memory had them, or are a new layer's own.
DROPPING = frozenset(
    {"dropout", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "dropout1d", "dropout2d", "dropout3d"}
    | {"alpha_dropout", "AlphaDropout", "feature_alpha_dropout", "FeatureAlphaDropout", "dropout_"}
)
DRAWING = frozenset(
    {"rand", "randn", "randint", "randperm", "rand_like", "randn_like", "randint_like", "normal", "normal_"}
    | {"bernoulli", "bernoulli_", "multinomial", "uniform_", "random_", "exponential_", "rrelu", "gumbel_softmax"}
)
NOT_WRITTEN = frozenset({"empty", "empty_like", "new_empty", "empty_strided", "empty_permuted", "new_empty_strided"})
LAYERS = frozenset({"Linear", "Bilinear", "Conv1d", "Embedding"})
# What has no gradient to lose: a mask, the maximum that a softmax takes off, sizes.
WITHOUT_GRADIENT = frozenset({"max", "amax", "shape", "ndim", "size", "dtype"})


@dataclass(frozen=True)
class _Use:
    """A name, or the result of a call by this name that nothing takes."""

    name: str
    is_thrown_away: bool = False


def find_landmarks(graph: CallGraph, main: str, rules: SourceRules) -> dict[str, tuple[Landmark, ...]]:
    """For each of the student's functions: what of the wanted names it uses, and where, each place once."""
    given = graph.keywords.union(*((*entry.parameters, *entry.keywords) for entry in rules.entry_points))
    wanted = frozenset(rules.landmarks).union(*WAYS_OUT_OF_THE_GRAPH, DROPPING, DRAWING, NOT_WRITTEN, LAYERS)
    found: dict[str, tuple[Landmark, ...]] = {}
    for function, bodies in graph.bodies.items():
        marks = {
            Landmark(use.name, place_in(path, line, main), use.is_thrown_away)
            for path, body in bodies
            for use, line in _uses(body, given)
            if use.name in wanted
        }
        marks |= {
            Landmark(OVERWRITES, place_in(path, line, main))
            for path, body in bodies
            for line in writes_into_arguments(body)
        }
        if marks:
            found[function] = tuple(sorted(marks, key=lambda mark: (in_order(mark.place), mark.name)))
    return found


def in_order(place: Place) -> tuple[str, int]:
    """The uploaded file first: it is what the student has open."""
    return place.file or "", place.line


def _uses(body: ast.AST, given: Set[str]) -> Iterator[tuple[_Use, int]]:
    """Uses with their lines: under a flag that nobody sets only those which stand nowhere else."""
    skipped = {node for branch in _off_branches(body, given) for node in ast.walk(branch)}
    harmless = {*_harmless_ways_out(body), *_asked_whether_given(body)}
    uses = [(node, use, line) for node in ast.walk(body) if node not in harmless for use, line in _used_by(node)]
    elsewhere = {use for node, use, _ in uses if node not in skipped}
    return ((use, line) for node, use, line in uses if node not in skipped or use not in elsewhere)


def _harmless_ways_out(body: ast.AST) -> Iterator[ast.Attribute]:
    """`mask.data`, and what `scores.data.max()` or `x.data.shape` take out."""
    for node in ast.walk(body):
        match node:
            case ast.Attribute(attr=way, value=ast.Name(id=name)) if way in WAYS_OUT_OF_THE_GRAPH[0]:
                if "mask" in name.lower():
                    yield node
            case ast.Attribute(attr=taken, value=ast.Attribute(attr=way) as out) if taken in WITHOUT_GRADIENT:
                if way in WAYS_OUT_OF_THE_GRAPH[0]:
                    yield out
            case _:
                pass


def _asked_whether_given(body: ast.AST) -> Iterator[ast.expr]:
    """`mask is not None` does nothing with the mask yet."""
    for node in ast.walk(body):
        match node:
            case ast.Compare(left=asked, ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
                yield asked
            case _:
                pass


def _used_by(node: ast.AST) -> Iterator[tuple[_Use, int]]:
    """A name as it is read, an attribute at its own line, the matrix product as `@`, a result that nothing takes."""
    match node:
        case ast.Name(id=name):
            yield _Use(name), node.lineno
        case ast.Attribute(attr=name, end_lineno=end):
            yield _Use(name), end or node.lineno
        case ast.BinOp(op=ast.MatMult()):
            yield _Use("@"), node.lineno
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name), keywords=keywords)):
            if not name.endswith("_") and not {"inplace", "out"} & {keyword.arg for keyword in keywords}:
                yield _Use(name, is_thrown_away=True), node.lineno
        case _:
            pass


def _off_branches(body: ast.AST, given: Set[str]) -> Iterator[ast.stmt]:
    """Under `if flag:`, where the flag is False unless it is given, and no call gives it by name."""
    flags = _flags(body) - given
    for node in ast.walk(body):
        match node:
            case ast.If(test=ast.Name(id=name)) if name in flags:
                yield from node.body
            case _:
                pass


def _flags(body: ast.AST) -> set[str]:
    """Parameters that are False where they are left out."""
    if not isinstance(body, Function):
        return set()
    taken = body.args
    positional = [*taken.posonlyargs, *taken.args]
    pairs = [
        *zip(reversed(positional), reversed(taken.defaults), strict=False),
        *zip(taken.kwonlyargs, taken.kw_defaults, strict=True),
    ]
    return {one.arg for one, default in pairs if isinstance(default, ast.Constant) and default.value is False}
