"""In which calls a mistake can show: in those that call an entry point which takes the wrong step."""

import ast

from grader.authoring import Call, Script
from grader.misconception import Misconception
from grader.reached_steps import Reach

SOURCE = """
def packed(step): return step
def save(step, out): out.append(packed(step))
def load(src): return src[-1]
"""
REACH = Reach("load", tuple(ast.parse(SOURCE).body), {"save": {"save", "packed"}, "load": {"load"}})
LOST = Misconception("lost", "The step is lost", "Write it down.", b"def packed(step): return 0", frozenset({"packed"}))


def _saved_and_loaded(saved_with: str) -> Call:
    script = Script("load")
    place = script.let([])
    script.call(saved_with, {"step": 7, "out": place}, is_compared=False)
    script.call("load", {"src": place})
    return script.as_call()


def test_a_sequence_shows_mistakes_of_every_entry_point_that_it_calls() -> None:
    call = _saved_and_loaded(saved_with="save")
    assert call.functions == {"save", "load"}
    assert not REACH.touches(LOST, call.function)
    assert REACH.touches_call(LOST, call)


def test_no_other_call_shows_them() -> None:
    assert not REACH.touches_call(LOST, Call("", "load", {"src": (7,)}))
    assert not REACH.touches_call(LOST, _saved_and_loaded(saved_with="by_harness"))
    assert REACH.touches_call(LOST, Call("", "save", {"step": 7, "out": ()}))
