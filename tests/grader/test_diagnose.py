"""Diagnosis through grade(), in real sandboxes: what is named is true, its line is in the right file, silence else."""

from collections.abc import Mapping

import pytest

from grader.challenge import Challenge
from grader.exercise import exercise_of
from grader.grade import grade
from grader.guest.submission import Submission
from grader.report import Report, RuleStatus, Verdict
from tests.grader import corpus
from tests.installed import installed
from worker.runner_client import RunnerClient

LAYERS = "cs336_basics/layers.py"
PARTS = "cs336_basics/parts.py"
HEADS = "cs336_basics/heads.py"
ROPE = b"""import torch


def rope(d_k, theta, max_seq_len, x, positions):
    angles = positions[..., None] * theta ** (-torch.arange(0, d_k, 2) / d_k)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2)


def attention(Q, K, V, mask=None):
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, -1) @ V
"""
MHA = b"""import torch

from .parts import attention, rope


def multihead(d_model, num_heads, max_seq_len, theta, q, k, v, o, x, token_positions=None):
    assert d_model % num_heads == 0
    if token_positions is None:
        token_positions = torch.arange(x.shape[-2])
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    d = d_model // num_heads
    Q, K, V = ((x @ w.T).unflatten(-1, (num_heads, d)).transpose(-3, -2) for w in (q, k, v))
    Q, K = rope(d, theta, max_seq_len, Q, token_positions), rope(d, theta, max_seq_len, K, token_positions)
    return attention(Q, K, V).transpose(-3, -2).flatten(-2) @ o.T
"""
MAIN = b"""from .heads import multihead as multihead_self_attention_with_rope
from .parts import attention as scaled_dot_product_attention
from .parts import rope
"""


def spread(**changes: tuple[bytes, bytes]) -> dict[str, bytes]:
    """The right answer in three files, with one text replaced in some of them."""
    files = {"layers": MAIN, "parts": ROPE, "heads": MHA}
    for name, (old, new) in changes.items():
        assert old in files[name]
        files[name] = files[name].replace(old, new)
    return {f"cs336_basics/{name}.py": source for name, source in files.items()}


def report_of(challenge: Challenge, runner: RunnerClient, files: Mapping[str, bytes]) -> Report:
    return grade(challenge, Submission(LAYERS, files), 5, runner)


def line_with(source: bytes, text: bytes) -> int:
    return next(number for number, line in enumerate(source.splitlines(), 1) if text in line)


def test_a_right_answer_in_three_files_passes(mha_rope: Challenge, runner: RunnerClient) -> None:
    report = report_of(mha_rope, runner, spread())
    assert report.verdict is Verdict.PASSED, report.summary
    assert report.guidance is None


def test_a_diagnosis_names_the_sibling_that_the_line_is_in(mha_rope: Challenge, runner: RunnerClient) -> None:
    files = spread(parts=(b" / Q.shape[-1] ** 0.5", b""))
    (diagnosis,) = report_of(mha_rope, runner, files).diagnoses
    assert (diagnosis.id, diagnosis.file) == ("missing-scale", PARTS)
    assert diagnosis.line == line_with(files[PARTS], b"scores = Q @ K.mT")  # what is left out belongs there


def test_a_rule_names_the_sibling_that_the_loop_is_in(mha_rope: Challenge, runner: RunnerClient) -> None:
    loop = (
        b"    return torch.stack([attention(Q[..., h, :, :], K[..., h, :, :], V[..., h, :, :])\n"
        b"                        for h in range(num_heads)], -3).transpose(-3, -2).flatten(-2) @ o.T\n"
    )
    files = spread(heads=(b"    return attention(Q, K, V).transpose(-3, -2).flatten(-2) @ o.T\n", loop))
    report = report_of(mha_rope, runner, files)
    (finding,) = [finding for finding in report.structure if finding.status is RuleStatus.FAILED]
    assert (finding.rule, finding.file) == ("no-loop-over-heads", HEADS)
    assert finding.line in (line_with(files[HEADS], b"torch.stack"), line_with(files[HEADS], b"for h in"))


def test_an_exception_names_the_sibling_and_says_what_it_means(mha_rope: Challenge, runner: RunnerClient) -> None:
    files = spread(heads=(b".transpose(-3, -2).flatten(-2) @ o.T", b".mT.view(*x.shape) @ o.T"))
    report = report_of(mha_rope, runner, files)
    line = line_with(files[HEADS], b".view(*x.shape)")
    said = [test.message for test in report.tests if "view size" in test.message]
    assert said
    assert f"RuntimeError in heads.py, line {line}: view size is not compatible" in said[0]
    assert "in that order in memory" in said[0]


def test_a_sibling_that_cannot_be_imported_is_named(mha_rope: Challenge, runner: RunnerClient) -> None:
    report = report_of(mha_rope, runner, spread(parts=(b"import torch\n", b"import torch\ntorch.nothing_like_it()\n")))
    assert report.verdict is Verdict.ERROR
    assert "AttributeError in parts.py, line 2" in report.summary
    assert (report.structure[0].file, report.structure[0].line) == (PARTS, 2)


@pytest.mark.parametrize(
    ("change", "words", "line"),
    [
        ((b"import torch\n", b"import torch\ndef broken(:\n"), "parts.py is not valid Python, line 2", 2),
        ((b"import torch\n", b"import torch\nfrom ..other import f\n"), "leaves the package `cs336_basics`", 2),
        ((b"import torch\n", b"import torch\nfrom pandas import *\n"), "parts.py, line 2: imports `pandas`", 2),
    ],
)
def test_a_rejection_names_the_sibling(
    mha_rope: Challenge, runner: RunnerClient, change: tuple[bytes, bytes], words: str, line: int
) -> None:
    report = report_of(mha_rope, runner, spread(parts=change))
    assert report.verdict is Verdict.REJECTED
    assert words in report.summary
    assert (report.structure[0].file, report.structure[0].line) == (PARTS, line)


def test_the_same_submission_and_seed_get_the_same_words(mha_rope: Challenge, runner: RunnerClient) -> None:
    files = spread(heads=(b"@ o.T", b"@ o"), parts=(b"a * sin + b * cos", b"b * cos - a * sin"))
    first, second = (report_of(mha_rope, runner, files) for _ in range(2))
    assert (first.diagnoses, first.guidance) == (second.diagnoses, second.guidance)


def test_a_shape_is_told_with_what_it_means(mha_rope: Challenge, runner: RunnerClient) -> None:
    files = spread(heads=(b".transpose(-3, -2).flatten(-2) @ o.T", b""))
    report = report_of(mha_rope, runner, files)
    said = [test.message for test in report.tests if test.group == "heads" and test.status != "passed"]
    assert any("the heads have not been merged yet" in message for message in said)


def test_what_no_mistake_explains_is_left_unnamed(mha_rope: Challenge, runner: RunnerClient) -> None:
    files = spread(heads=(b"    return attention(Q, K, V)", b"    return (attention(Q, K, V) + 0.3 * V.flip(-1))"))
    report = report_of(mha_rope, runner, files)
    assert report.verdict is Verdict.FAILED
    assert report.diagnoses == ()
    assert report.guidance is not None
    assert report.guidance.first_wrong == "multihead_self_attention_with_rope"


def test_a_mistake_beside_right_parts_points_to_the_main_function(mha_rope: Challenge, runner: RunnerClient) -> None:
    exercise = exercise_of(mha_rope)
    mistake = next(mistake for mistake in exercise.misconceptions if mistake.name == "missing-scale")
    inline = b"torch.softmax(Q @ K.mT, -1) @ V"
    files = spread(heads=(b"attention(Q, K, V)", b"(" + inline + b")"))
    report = report_of(mha_rope, runner, files)
    assert [diagnosis.id for diagnosis in report.diagnoses] == [mistake.id]
    assert report.diagnoses[0].file == HEADS


def test_a_function_that_raises_whatever_it_is_asked_is_not_explained_by_any_mistake_that_raises(
    mha_rope: Challenge, runner: RunnerClient
) -> None:
    files = spread(heads=(b"    d = d_model // num_heads\n", b"    d = d_model // num_heads + 1\n"))
    report = report_of(mha_rope, runner, files)
    assert report.diagnoses == ()
    assert any("cannot be divided into" in test.message for test in report.tests)


def test_what_is_right_in_itself_is_no_cause(mha_rope: Challenge, runner: RunnerClient) -> None:
    files = spread(parts=(b"torch.softmax(scores, -1)", b"torch.softmax(scores, 1)"))
    assert {diagnosis.id for diagnosis in report_of(mha_rope, runner, files).diagnoses} == {"softmax-dim"}


def test_a_part_is_not_called_right_where_memory_layout_matters(mha_rope: Challenge, runner: RunnerClient) -> None:
    files = spread(parts=(b"    a, b = x[..., ::2]", b"    x = x.view(-1).view(x.shape)\n    a, b = x[..., ::2]"))
    guidance = report_of(mha_rope, runner, files).guidance
    assert guidance is not None
    assert guidance.first_wrong is None


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("parts", b"mask=None):\n    scores", b"mask):\n    scores"),
        ("heads", b"    d = d_model // num_heads\n", b"    d = None\n"),
        ("heads", b"    d = d_model // num_heads\n", b"    d = d_model()\n"),
        ("heads", b"    d = d_model // num_heads\n", b"    torch.nn.Linear(2, 2).load_state_dict({})\n"),
        ("parts", b"torch.softmax(scores, -1)", b"torch.softmax(scores, 'last')"),
    ],
)
def test_an_exception_of_another_kind_is_no_wrong_idea(
    mha_rope: Challenge, runner: RunnerClient, file: str, old: bytes, new: bytes
) -> None:
    report = report_of(mha_rope, runner, spread(**{file: (old, new)}))
    assert report.verdict in (Verdict.FAILED, Verdict.ERROR)
    assert report.diagnoses == ()


def test_none_used_as_positions_is_told_from_sizes_that_do_not_fit(mha_rope: Challenge, runner: RunnerClient) -> None:
    files = spread(heads=(b"        token_positions = torch.arange(x.shape[-2])\n", b"        pass\n"))
    (diagnosis,) = report_of(mha_rope, runner, files).diagnoses
    assert diagnosis.id == "positions-none-refused"


def test_where_every_call_raises_the_very_words_of_torch_tell_the_mistake(
    mha_rope: Challenge, runner: RunnerClient
) -> None:
    (diagnosis,) = report_of(mha_rope, runner, spread(parts=(b"Q @ K.mT", b"Q @ K.T"))).diagnoses
    assert diagnosis.id == "fixed-rank-transpose"


def test_what_would_follow_from_a_mistake_that_is_named_is_no_second_one(runner: RunnerClient) -> None:
    functional = installed()["mha-functional"]
    source = functional.folder.joinpath("accepted", "view_and_transpose.py").read_bytes()
    wrong = source.replace(b"linear(k, w_k)", b"linear(q, w_k)").replace(b"linear(v, w_v)", b"linear(q, w_v)")
    report = grade(functional, Submission("attention.py", {"attention.py": wrong}), 5, runner)
    assert [diagnosis.id for diagnosis in report.diagnoses] == ["self-attention-only"]


def test_a_hint_is_given_where_only_the_special_case_fails(mha_rope: Challenge, runner: RunnerClient) -> None:
    def hinted(files: Mapping[str, bytes]) -> set[str]:
        report = report_of(mha_rope, runner, files)
        return {test.id for test in report.tests if "Count axes from the end" in test.message}

    assert hinted(spread(heads=(b".transpose(-3, -2)", b".transpose(1, 2)"))) == {
        "batch/none",
        "batch/two",
        "batch/three",
    }
    assert hinted(spread(heads=(b"@ o.T", b"@ o"))) == set()


def test_a_hint_about_writing_is_not_given_where_the_call_raised(mha_rope: Challenge, runner: RunnerClient) -> None:
    from_the_front = b"\n\ndef softmax(scores):\n    return torch.softmax(scores, dim=3)\n"
    source = exercise_of(mha_rope).reference_source + from_the_front
    report = report_of(mha_rope, runner, {mha_rope.manifest.default_path: source})
    (raised,) = [test for test in report.tests if test.id == "contract/attention-unchanged"]
    assert "IndexError" in raised.message
    assert "underscore" not in raised.message


def test_what_is_right_alone_refutes_what_seemed_to_explain_it(runner: RunnerClient) -> None:
    causal = installed()["mha-rope-causal"]
    first = b"\n\n_kept = []\n\n\ndef up_to_itself(seq):\n    _kept.append(torch.ones(seq, seq, dtype=bool).tril())\n"
    source = exercise_of(causal).reference_source + first + b"    return _kept[0][:seq, :seq]\n"
    report = report_of(causal, runner, {causal.manifest.default_path: source})
    assert [diagnosis.id for diagnosis in report.diagnoses] == ["stale-cache"]


def test_nothing_but_nan_is_no_mistake_in_particular(mha_rope: Challenge, runner: RunnerClient) -> None:
    nothing = b"\n\ndef project_output(merged, o_proj_weight):\n    return merged * math.nan\n"
    source = exercise_of(mha_rope).reference_source + nothing
    assert report_of(mha_rope, runner, {mha_rope.manifest.default_path: source}).diagnoses == ()


def test_a_tuple_with_the_right_tensor_in_front_is_named(mha_rope: Challenge, runner: RunnerClient) -> None:
    files = spread(heads=(b".flatten(-2) @ o.T", b".flatten(-2) @ o.T, Q"))
    (diagnosis,) = report_of(mha_rope, runner, files).diagnoses
    assert diagnosis.id == "returns-tuple"


@pytest.mark.parametrize(
    ("instead", "named"),
    [
        (b"raise ValueError('token_positions are required')", "positions-none-refused"),
        (b"token_positions = torch.arange(max_seq_len)", "positions-none-table"),
    ],
)
def test_a_refusal_of_none_is_told_from_a_table_that_is_too_long(
    mha_rope: Challenge, runner: RunnerClient, instead: bytes, named: str
) -> None:
    files = spread(heads=(b"token_positions = torch.arange(x.shape[-2])", instead))
    assert [diagnosis.id for diagnosis in report_of(mha_rope, runner, files).diagnoses] == [named]


def test_a_mistake_whose_angles_are_too_large_for_float32_is_named(mha_rope: Challenge, runner: RunnerClient) -> None:
    """On this paper, float64 explained no family whole of what float32 gave."""
    files = spread(parts=(b"theta ** (-torch", b"theta ** (torch"))
    report = grade(mha_rope, Submission(LAYERS, files), 3018, runner)
    assert [diagnosis.id for diagnosis in report.diagnoses] == ["frequency-sign"]


@pytest.mark.parametrize(("name", "mistake"), [("clamped", "eps-as-floor"), ("eps_forgotten", "eps-missing")])
def test_a_mistake_hardly_larger_than_rounding_may_pass_a_case_that_its_twin_fails(
    runner: RunnerClient, name: str, mistake: str
) -> None:
    """With this seed some cases pass by less than the order of two operations makes out."""
    files = {"rmsnorm.py": (corpus.FOLDER / "rmsnorm" / "failed" / f"{name}.py").read_bytes()}
    report = grade(installed()["rmsnorm"], Submission("rmsnorm.py", files), 1001, runner)
    assert [diagnosis.id for diagnosis in report.diagnoses] == [mistake]
    (diagnosis,) = report.diagnoses
    failing = sum(test.status == "failed" for test in report.tests)
    assert len(diagnosis.tests) > 0.9 * failing
