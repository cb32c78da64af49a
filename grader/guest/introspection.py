"""Does the source ask who is watching, or step out of sight? Only for that do these names exist in an exercise.

What is watched decides about the rules, so a submission that looks for the watcher cannot be judged by them. Names put
together at run time are not found; docs/decisions/0003 says what remains. Standard library only, nothing secret.
"""

import ast
import re
from collections.abc import Iterator, Mapping

from grader.guest.inspection import FindingKind, StaticFinding, place_in

NAMES_A_FILE = "compile, with the name of a file"
WATCHING = frozenset(
    {
        *("getprofile", "setprofile", "gettrace", "settrace", "setprofile_all_threads", "settrace_all_threads"),
        *("_getframe", "_current_frames", "currentframe", "f_back", "tb_frame", "get_objects", "get_referrers"),
        *("inspect.stack", "getouterframes", "getinnerframes", "extract_stack", "format_stack", "walk_stack"),
        *("findCaller", "no_dispatch", "redispatch", "redispatch_boxed", "_pop_mode", "_pop_mode_temporarily"),
        *("_push_mode", "_disable_current_modes", "_python_dispatch"),
        *("_profile_hook", "_trace_hook", "_bootstrap", "_bootstrap_inner", "_thread", "start_new_thread"),
        *("_start_new_thread", "start_joinable_thread", "_start_joinable_thread", "addaudithook"),
        # A thread that C starts has no hook and none of torch's modes.
        *("ctypes", "_ctypes", "ctypeslib", "pythonapi", "PyDLL", "cffi", "_cffi_backend", "_testcapi"),
        # By these a tensor's memory is read, and torch is not asked for it.
        *(
            "from_dlpack",
            "_from_dlpack",
            "to_dlpack",
            "_to_dlpack",
            "_to_dlpack_versioned",
            "_dlpack_exchange_api",
            "__dlpack_c_exchange_api__",
        ),
        # By these code says that it is from another file.
        *(NAMES_A_FILE, "co_filename", "CodeType"),
        # Scripts that are written as a text.
        *("CompilationUnit", "parse_ir", "_create_function_from_graph", "_create_function_from_trace"),
        *("_data_address", "_storage_address", "__array_interface__", "__array_struct__"),
    }
)

# What torch calls its modes, the keys that it dispatches by, and their state; a tensor class may have its own methods.
MODES = re.compile(
    r"torch_?(function|dispatch)(?!__$)|dispatch_?(key|mode|stack|tls|below)|function_mode", re.IGNORECASE
)

# By this a script gets numbers of which torch is told nothing.
IN_SCRIPTS = frozenset({"tolist"})


def introspects(main: str, trees: Mapping[str, ast.Module]) -> Iterator[StaticFinding]:
    """Yields the first place where it does, if there is one."""
    has_scripts = any("jit" in _names(node) for tree in trees.values() for node in ast.walk(tree))
    also = IN_SCRIPTS if has_scripts else frozenset()
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.expr | ast.stmt | ast.pattern) and any(
                _is_of_watching(name) or name in also for name in _names(node)
            ):
                yield StaticFinding(FindingKind.INTROSPECTION, place_in(path, node.lineno, main))
                return


def _is_of_watching(name: str) -> bool:
    return name in WATCHING or MODES.search(name) is not None


def _names(node: ast.AST) -> Iterator[str]:
    """A text counts wherever it may be a name, or several with dots between them: in a call, as a key, or kept."""
    match node:
        case ast.Attribute(value=ast.Name(id="inspect"), attr=name):
            yield from (f"inspect.{name}", name)
        case ast.Attribute(attr=name) | ast.Name(id=name) | ast.FunctionDef(name=name):
            yield name
        case ast.Import(names=aliases):
            yield from (part for alias in aliases for part in alias.name.split("."))
        case ast.ImportFrom(module=module, names=aliases):
            yield from (module or "").split(".")
            yield from (name for alias in aliases for name in (alias.name, f"{module}.{alias.name}"))
        case ast.Call(func=ast.Name(id="compile") | ast.Attribute(attr="compile"), args=[_, _, _, *_]):
            yield NAMES_A_FILE
        case ast.Call(keywords=keywords):
            yield from (keyword.arg for keyword in keywords if keyword.arg is not None)
        case ast.MatchClass(kwd_attrs=names):
            yield from names
        case ast.Constant(value=str(text)):
            parts = text.split(".")
            yield from parts if all(map(str.isidentifier, parts)) else ()
