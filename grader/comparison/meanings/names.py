"""Exceptions about names, None, truth and arguments: what any program in Python can get wrong."""

import re

from grader.comparison.meanings.meaning import meanings


def _none(found: re.Match[str]) -> str:
    del found
    return "Something here is None: an argument that was left out, or the result of a function without `return`."


def _attribute(found: re.Match[str]) -> str:
    owner, name = found["owner"], found["name"]
    if owner == "NoneType":
        return _none(found)
    if owner in ("tuple", "list"):
        return f"This is a {owner}, not a tensor: get the tensor out of it first."
    if owner in ("int", "float", "bool", "str"):
        return (
            f"This is a plain {owner}, and what you ask of it (`{name}`) belongs to something else, such as a tensor."
        )
    return f"There is no `{name}` on a {owner}: check for a typo in the name, or for an attribute that was never set."


def _owned(found: re.Match[str]) -> str:
    if found["module"]:
        return f"There is no `{found['name']}` in {found['module']}: check for a typo in the name."
    return _attribute(found)


NAMES = meanings(
    (
        "Boolean value of Tensor with (more than one value|no values) is ambiguous",
        "`if`, `not`, `and` and `or` need a single true or false, which a whole tensor cannot give. To check "
        "whether an argument was passed, use `is None`.",
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
        "There is a tuple or list where a tensor should be: a function that returns several values returns a tuple.",
    ),
    (
        "must be Tensor, not (int|float)",
        r"This torch function needs a tensor but got a plain \1: for plain numbers, use Python's "
        r"`math`.",
    ),
    (
        "name '(exit|quit)' is not defined",
        r"`\1()` ends an interactive session, and there is none here: remove it.",
    ),
    (
        r"name '(\w+)' is not defined",
        r"There is no `\1` at this point: it is misspelt, not imported, or local to another function.",
    ),
    (
        r"cannot access local variable '(\w+)'|local variable '(\w+)' referenced before",
        "This name is assigned in a branch that was not taken, or further down.",
    ),
    (
        r"(\w+)(?:\.__init__)?\(\) missing \d+ required (?:positional|keyword-only) arguments?: (.+)",
        r"`\1` was called without \2: compare the call with the function's parameters.",
    ),
    (
        r"(\w+)(?:\.__init__)?\(\) takes (?:from )?[\w ]+ positional arguments? but (\d+) (?:was|were) given",
        r"`\1` was called with more arguments than it has parameters (a method counts `self`): compare the "
        r"two.",
    ),
    (
        r"(\w+)(?:\.__init__)?\(\) got an unexpected keyword argument '(\w+)'",
        r"`\1` has no parameter called `\2`: compare the call with the function's parameters.",
    ),
    (
        "'Tensor' object is not callable",
        "A tensor is called like a function: perhaps two things have the same name, or an operator is "
        "missing before the parenthesis.",
    ),
    (
        r"only one element tensors can be converted|with \d+ elements cannot be converted to Scalar",
        "There is a whole tensor where one number is expected: Python's `math` and `int()` only take single numbers.",
    ),
)
OTHERS = meanings(
    (
        "maximum recursion depth exceeded",
        "A function keeps calling itself: perhaps two functions have the same name, and the wrong one is called.",
    ),
    (
        "EOF when reading a line",
        "`input()` waits for someone to type, and nobody can here: remove it.",
    ),
    (
        r"cannot assign \w+ before Module\.__init__\(\) call",
        "`super().__init__()` must be the first line of `__init__`.",
    ),
    (
        r"No such file or directory: '([^']{1,80})'",
        r"There is no `\1` here: only your Python modules are sent. Put its contents in your code; or, if the exercise "
        r"does not need them, open the file inside the function that does.",
    ),
    (
        r"No module named '([\w.]+)'(?!:)",  # that says itself what it means
        r"There is no module `\1` here: you can only import what the exercise allows.",
    ),
    (
        r"cannot import name '(\w+)' from '([\w.]+)'",
        r"`\2` contains no `\1`: it is misspelt, defined elsewhere, or the two files import each other.",
    ),
)
