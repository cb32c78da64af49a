"""What runs in the confined child: reads frames, imports the submission, performs calls, writes frames.

From the import on, nothing here can be relied on: the submission shares this process. It decides nothing.
"""

import json
import os
from contextlib import nullcontext
from dataclasses import replace
from typing import NoReturn

from grader.guest.execution import CallStatus, Detail, Outcome, Problem
from grader.guest.loading import Program, load_program
from grader.guest.raised import problem_from
from grader.guest.source import inspect_source
from grader.guest.steps import answer
from grader.guest.submission import Submission
from grader.guest.threads import watch_new_threads
from worker.sandbox.channels import JOB_FD, RESULT_FD, send
from worker.sandbox.deadline import Deadline
from worker.sandbox.frames import decode_call, encode_outcome, encode_problem
from worker.sandbox.framing import Frame, MalformedFrameError, read_frame, write_all
from worker.sandbox.jobs import decode_rules, decode_submission


def serve(ready: Frame, call_cpu_s: float) -> NoReturn:
    """Does what this process is for and ends it, without any of the submission's exit handlers."""
    send(ready)
    job = read_frame(JOB_FD)
    if job is not None and job.kind == "inspect":
        _inspect(job)
        job = read_frame(JOB_FD)
    if job is not None and job.kind == "run":
        _run(job, call_cpu_s)
    os._exit(0)


def _inspect(job: Frame) -> None:
    inspection = inspect_source(decode_submission(job), decode_rules(job.fields["rules"]))
    send(Frame("inspection", body=json.dumps(inspection.to_json()).encode()))


def _run(job: Frame, call_cpu_s: float) -> None:
    submission = decode_submission(job)
    deadline = Deadline(submission.main, submission.files, call_cpu_s)
    watch_new_threads()
    try:
        with deadline.one():
            program = load_program(submission)
    except BaseException as error:  # noqa: BLE001  the guest's edge: whatever a submission raises is told, SystemExit too
        send(Frame("import_failed", {"problem": encode_problem(_told(error, submission))}))
        return
    send(Frame("imported"))
    while (frame := read_frame(JOB_FD)) is not None:
        write_all(RESULT_FD, _encoded(_outcome(frame, program, submission, deadline)))


def _outcome(frame: Frame, program: Program, submission: Submission, deadline: Deadline) -> Outcome:
    """A call that is traced fully takes many times as long, and a stage has a GPU to wait for."""
    try:
        call = decode_call(frame)
        with nullcontext() if call.tracing.detail is Detail.FULL or call.stage is not None else deadline.one():
            return answer(call, program)
    except BaseException as error:  # noqa: BLE001  as above; MemoryError when there is no room for the arguments
        return Outcome(frame.fields["id"], CallStatus.RAISED, problem=_told(error, submission))


def _encoded(outcome: Outcome) -> bytes:
    """The frame, or one that says why there is none."""
    try:
        return encode_outcome(outcome).encode()
    except MemoryError:
        problem = Problem("MemoryError", "there was no memory left for the result", out_of_memory=True)
        return encode_outcome(Outcome(outcome.id, CallStatus.RAISED, problem=problem)).encode()
    except (TypeError, ValueError, RuntimeError, MalformedFrameError) as error:
        told = problem_from(error, None)
        problem = replace(told, message=f"returned something that cannot be sent: {told.message}")
        status = CallStatus.RAISED if told.out_of_memory else CallStatus.MISTYPED
        return encode_outcome(Outcome(outcome.id, status, problem=problem)).encode()


def _told(error: BaseException, submission: Submission) -> Problem:
    try:
        return problem_from(error, submission.main, submission.files)
    except BaseException:  # noqa: BLE001  an exception whose own text cannot be had
        return Problem("Exception", "an exception that cannot be described")
