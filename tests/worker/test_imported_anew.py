"""A harness may import a submission anew, as another process would: what its modules remember is not there."""

from grader.guest.execution import Call, CallStatus, Gives
from grader.guest.limits import Limits
from grader.guest.submission import Submission
from worker.runner_client import RunnerClient

MAIN = "pkg/run.py"
HARNESS = b"""
def kept(student):
    student.keep(3)
    return str(student.everything())


def kept_anew(student):
    with imported_anew(student) as anew:
        return str(anew.everything())


def pickled(student):
    with imported_anew(student) as anew:
        inside = type(anew.copied(anew.Run(4))) is anew.Run
    afterwards = type(student.copied(student.Run(4))) is student.Run
    return str([inside, afterwards, anew.Run is student.Run])


def failed(student):
    try:
        with imported_anew(student):
            raise ValueError
    except ValueError:
        return str(student.everything())
"""
SOURCES = {
    MAIN: b"""
import pickle
import tiktoken  # not there: something stands in for it
from pkg.parts import store

HELD = []


class Run:
    def __init__(self, step):
        self.step = step


def keep(step):
    HELD.append(step)
    store.HELD.append(step)


def everything():
    import pkg.parts.store
    return [HELD, store.HELD, pkg.parts.store.HELD]


def copied(run):
    return pickle.loads(pickle.dumps(run))
""",
    "pkg/parts/store.py": b"HELD = []\n",
}


def test_nothing_is_remembered_and_everything_is_back_afterwards(runner: RunnerClient) -> None:
    submission = Submission(MAIN, SOURCES, {"harness.py": HARNESS}, modules=("torch", "pkg"))
    names = ("kept", "kept_anew", "pickled", "failed")
    calls = [Call(name, name, {}, gives=Gives.VALUES) for name in names]
    outcomes = runner.run(submission, calls, Limits(wall_s=8.0, cpu_s=6.0)).outcomes
    assert [outcome.status for outcome in outcomes] == [CallStatus.RETURNED] * 4, outcomes
    remembered, nothing = "[[3], [3], [3]]", "[[], [], []]"
    assert [outcome.values[0] for outcome in outcomes] == [remembered, nothing, "[True, True, False]", remembered]
