"""Which names does a file's function surely need when it is called? Standard library only, nothing secret.

Under-approximated: what is needed only in another file, or through an attribute, shows when the code is run.
"""

import ast
from collections.abc import Iterable, Iterator

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def needed_names(tree: ast.Module, wanted: Iterable[str]) -> dict[str, int]:
    """Every name of the module that the wanted functions and classes use, or what they use by name in the same file,
    with the first line found. `isinstance`, `except` and annotations do not count: they need nothing of a name.
    """
    definitions = {node.name: node for node in tree.body if isinstance(node, Definition)}
    found: dict[str, int] = {}
    seen: set[str] = set()
    waiting = list(wanted)
    while waiting:
        name = waiting.pop()
        if name in seen or name not in definitions:
            continue
        seen.add(name)
        for used, line in _uses(definitions[name]):
            found.setdefault(used, line)
            waiting.append(used)
    return found


def _uses(definition: Definition) -> Iterator[tuple[str, int]]:
    nodes = list(_needing(definition))
    own = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    own |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    own |= {alias.asname or alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    own |= {
        alias.asname or alias.name.partition(".")[0]
        for node in nodes
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    for node in nodes:
        if isinstance(node, ast.Name) and node.id not in own:
            yield node.id, node.lineno


def _needing(node: ast.AST) -> Iterator[ast.AST]:
    """The node and all in it, without what only looks at types."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        match current:
            case ast.arg():
                pass
            case ast.AnnAssign(target=target, value=value):
                waiting += [target, *([value] if value is not None else [])]
            case ast.ExceptHandler(body=body):
                waiting += body
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[first, *_]):
                waiting.append(first)
            case ast.FunctionDef(returns=returns) | ast.AsyncFunctionDef(returns=returns):
                waiting += [child for child in ast.iter_child_nodes(current) if child is not returns]
            case _:
                waiting += ast.iter_child_nodes(current)
