"""Which sources ask who is watching, or step out of sight, and which only look as if they did."""

import ast

import pytest

from grader.guest.introspection import introspects


def is_found(source: str) -> bool:
    return bool([*introspects("f.py", {"f.py": ast.parse(source)})])


@pytest.mark.parametrize(
    "source",
    [
        "import sys; sys.getprofile()",
        "from sys import getprofile",
        "getattr(sys, 'getprofile')",
        "vars(sys)['getprofile']",
        "name = 'getprofile'",
        "match sys:\n    case object(getprofile=asked): asked()",
        "attrgetter('overrides._pop_mode')(torch)",
        "import_module(name='ctypes')",
        "import numpy.ctypeslib",
        "from torch.overrides import has_torch_function",
        "torch._C._set_skip_next_torch_function",
        "torch._C._get_dispatch_mode(0)",
        "torch._C._data_address(x)",
        "@torch.jit.script\ndef numbers(x):\n    found: List[float] = x.tolist()\n    return found",
        "exec(compile(text, '/lib/python.py', 'exec'))",
        "code.replace(co_filename='/lib/python.py')",
        "class Memory:\n    @property\n    def __array_interface__(self): return {}",
    ],
)
def test_a_name_of_watching_is_found_wherever_it_stands(source: str) -> None:
    assert is_found(source)


@pytest.mark.parametrize(
    "source",
    [
        "'''Works without sys.getprofile: nobody watches.'''",
        "class Own(torch.Tensor):\n    def __torch_function__(cls, *given): return super().__torch_function__(*given)",
        "threading.Lock()",
        "'dispatch'",
        "model.eval()",
        "x.tolist()",
        "torch.compile(f)",
        "re.compile(text, re.M)",
    ],
)
def test_what_only_speaks_of_it_is_not(source: str) -> None:
    assert not is_found(source)
