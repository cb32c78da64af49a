"""The keeper of the zygotes."""

from grader.limits import Limits
from worker.sandbox.keeper import Keeper
from worker.sandbox.nursery import standard_options
from worker.sandbox.supervisor import Session


def test_an_old_zygote_gets_a_successor_and_its_sessions_go_on() -> None:
    keeper = Keeper(standard_options(), recycle_s=0.0)
    keeper.start()
    try:
        before = Session(keeper.child(Limits()))
        keeper.recycle()
        after = Session(keeper.child(Limits()))
        for session in (before, after):
            session.await_ready()
            session.end()
    finally:
        keeper.stop()
