"""Does the source ask who is watching, or step out of sight? Only for that do these names exist in an exercise.

What is watched decides about the rules, so a submission that looks for the watcher cannot be judged by them. Names put
together at run time are not found; docs/decisions/0003 says what remains. Standard library only, nothing secret.
"""

import ast
from collections.abc import Iterator, Mapping

from grader.guest.inspection import FindingKind, StaticFinding, place_in

WATCHING = frozenset(
    {
        *("getprofile", "setprofile", "gettrace", "settrace", "setprofile_all_threads", "settrace_all_threads"),
        *("_getframe", "_current_frames", "currentframe", "f_back", "tb_frame", "get_objects", "get_referrers"),
        *("TorchDispatchMode", "TorchFunctionMode", "_python_dispatch", "DisableTorchFunction"),
        *("DisableTorchFunctionSubclass", "_DisableTorchDispatch", "_disable_current_modes"),
        *("_len_torch_dispatch_stack", "_len_torch_function_stack", "_get_dispatch_stack_at"),
        *("_get_current_dispatch_mode", "_get_current_dispatch_mode_stack", "_get_current_function_mode"),
        *("_get_current_function_mode_stack", "_pop_torch_dispatch_stack", "_pop_torch_function_stack"),
        *("inspect.stack", "getouterframes", "getinnerframes", "extract_stack", "format_stack", "walk_stack"),
        *("findCaller", "to_dlpack", "_to_dlpack"),
        *("no_dispatch", "redispatch", "redispatch_boxed", "_pop_mode", "_pop_mode_temporarily"),
        *("BaseTorchFunctionMode", "_push_mode", "ExcludeDispatchKeyGuard", "_ExcludeDispatchKeyGuard"),
        *("_IncludeDispatchKeyGuard", "_ForceDispatchKeyGuard"),
        *("_SetExcludeDispatchKeyGuard", "_AutoDispatchBelowAutograd", "_AutoDispatchBelowADInplaceOrView"),
        *("_dispatch_tls_set_dispatch_key_excluded", "_dispatch_tls_set_dispatch_key_included"),
        *("_profile_hook", "_trace_hook", "_bootstrap", "_bootstrap_inner"),
        *("_thread", "start_new_thread", "_start_new_thread", "addaudithook", "pythonapi", "PyDLL"),
    }
)


def introspects(main: str, trees: Mapping[str, ast.Module]) -> Iterator[StaticFinding]:
    """Yields the first place where it does, if there is one."""
    for path, tree in trees.items():
        for node in ast.walk(tree):
            name = _names(node) & WATCHING
            if name and isinstance(node, ast.expr | ast.stmt):
                yield StaticFinding(FindingKind.INTROSPECTION, place_in(path, node.lineno, main))
                return


def _names(node: ast.AST) -> set[str]:
    """A text counts where it can be nothing but a name: as an argument of a call, alone."""
    match node:
        case ast.Attribute(value=ast.Name(id="inspect"), attr=name):
            return {f"inspect.{name}", name}
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return {name}
        case ast.Import(names=aliases):
            return {part for alias in aliases for part in alias.name.split(".")}
        case ast.ImportFrom(module=module, names=aliases):
            taken = {alias.name for alias in aliases}
            return {*(module or "").split("."), *taken, *(f"{module}.{name}" for name in taken)}
        case ast.Call(args=arguments):
            return {text.value for text in arguments if isinstance(text, ast.Constant) and isinstance(text.value, str)}
        case _:
            return set()
