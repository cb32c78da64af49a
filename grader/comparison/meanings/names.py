"""Exceptions about names, None, truth and arguments: what any program in Python can get wrong."""

import re

from grader.comparison.meanings.meaning import meanings


def _none(found: re.Match[str]) -> str:
    del found
    return (
        "Something here is None: an argument that was left out and has no value yet, or the result of a function "
        "without `return`."
    )


def _attribute(found: re.Match[str]) -> str:
    owner, name = found["owner"], found["name"]
    if owner == "NoneType":
        return _none(found)
    if owner in ("tuple", "list"):
        return f"This is a {owner}, not a tensor: take the tensor out of it first."
    if owner in ("int", "float", "bool", "str"):
        return (
            f"This is a plain {owner}, and what you ask of it (`{name}`) belongs to something else, such as a tensor."
        )
    return f"There is no `{name}` on a {owner}: look for a slip in the name, or for something that was never set."


def _owned(found: re.Match[str]) -> str:
    if found["module"]:
        return f"There is no `{found['name']}` in {found['module']}: look for a slip in the name."
    return _attribute(found)


NAMES = meanings(
    (
        "Boolean value of Tensor with (more than one value|no values) is ambiguous",
        "`if`, `not`, `and` and `or` ask whether the whole tensor is true, which it cannot say. To find out "
        "whether an argument was given, compare it with None by `is`.",
    ),
    (
        "'NoneType' object is not|: '?NoneType'?|and 'NoneType'|must be Tensor, not NoneType|<class 'NoneType'>|"
        r"- got \([^)]*NoneType",
        _none,
    ),
    (
        r"(?:'(?P<owner>\w+)' object|module '(?P<module>[\w.]+)') has no attribute '(?P<name>\w+)'",
        _owned,
    ),
    (
        r"unsupported operand type\(s\) for \S+ '(?:tuple|list)' and|must be Tensor, not (?:tuple|list)",
        "A tuple or list stands where a tensor should: a function that returns several values gives a tuple.",
    ),
    (
        "must be Tensor, not (int|float)",
        r"This function of torch wants a tensor, and got a plain \1: Python's `math` has its own for plain "
        r"numbers.",
    ),
    (
        "name '(exit|quit)' is not defined",
        r"`\1()` ends a session at a terminal, and there is none here: leave it out.",
    ),
    (
        r"name '(\w+)' is not defined",
        r"There is no `\1` at this point: it is misspelt, not imported, or belongs to another function.",
    ),
    (
        r"cannot access local variable '(\w+)'|local variable '(\w+)' referenced before",
        "This name gets its value in a branch that was not taken, or further down.",
    ),
    (
        r"(\w+)(?:\.__init__)?\(\) missing \d+ required (?:positional|keyword-only) arguments?: (.+)",
        r"`\1` was called without \2: compare the call with the function's own list of parameters.",
    ),
    (
        r"(\w+)(?:\.__init__)?\(\) takes (?:from )?[\w ]+ positional arguments? but (\d+) (?:was|were) given",
        r"`\1` was called with more arguments than it has parameters (a method counts `self`): compare the "
        r"two.",
    ),
    (
        r"(\w+)(?:\.__init__)?\(\) got an unexpected keyword argument '(\w+)'",
        r"`\1` has no parameter called `\2`: compare the call with the function's own list of parameters.",
    ),
    (
        "'Tensor' object is not callable",
        "A tensor is called like a function: two things may have the same name, or an operator is missing "
        "before the parenthesis.",
    ),
    (
        r"only one element tensors can be converted|with \d+ elements cannot be converted to Scalar",
        "A whole tensor stands where one number is expected: Python's `math` and `int()` take single numbers only.",
    ),
)
OTHERS = meanings(
    (
        "maximum recursion depth exceeded",
        "A function calls itself without end: two functions of the same name, perhaps, one of which was meant.",
    ),
    (
        "EOF when reading a line",
        "`input()` waits, and here is nobody at a keyboard: leave it out.",
    ),
    (
        r"cannot assign \w+ before Module\.__init__\(\) call",
        "`super().__init__()` must be the first line of `__init__`.",
    ),
    (
        r"No such file or directory: '([^']{1,80})'",
        r"There is no `\1` here, nor any file but those you submit: compute what is in it, or write it into your code.",
    ),
    (
        r"No module named '([\w.]+)'",
        r"There is no module `\1` here: only what the exercise allows can be imported.",
    ),
    (
        r"cannot import name '(\w+)' from '([\w.]+)'",
        r"`\2` has nothing called `\1`: it is misspelt, defined elsewhere, or the two files import each other.",
    ),
)
