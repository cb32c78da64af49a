"""What is named is there: two mistakes that fit by chance are not, and what says its own name is."""

import pytest

from grader.exercise import exercise_of
from grader.grade import grade
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.report import Verdict
from tests.installed import installed

PUSHED = """

def hide(scores, mask):
    return scores if mask is None else scores + {by}


def weigh(scores):
    return Softmax()(scores, dim=0)
"""
REMEMBERING = """

def mask_for_heads(mask):
    return mask if mask is None else mask[:, None]


def attend(Q, K, V, mask):
    kept = _kept.setdefault(mask.shape, Tensor(mask.data.copy())) if mask is not None else mask
    output, _ = scaled_dot_product_attention(Q, K, V, kept)
    return output


_kept = {}
"""
UNNAMED = """

def set_sizes(module, embed_dim, num_heads):
    module.embed_dim, module.num_heads, module.d_k = embed_dim, num_heads, embed_dim // num_heads


def split_heads(x, num_heads):
    batch, seq, embed_dim = x.shape
    return x.reshape(batch, seq, num_heads, embed_dim // num_heads).transpose(1, 2)
"""
SHORT_WAY = """

def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    check_heads(d_model, num_heads)
    if k.shape[1] == 1:
        return project(v.expand_as(q), out_proj_weight)
    Q, K, V = (split_heads(x, num_heads) for x in project_inputs(q, k, v, in_proj_weight))
    return project_output(merge_heads(attend(Q, K, V, mask)), out_proj_weight)
"""


def named(addition: str, slug: str = "tinytorch-attention") -> set[str]:
    """What is said of the reference with these steps defined again."""
    challenge = installed()[slug]
    source = exercise_of(challenge).reference_source + addition.encode()
    main = challenge.manifest.default_path
    report = grade(challenge, Submission(main, {main: source}, challenge.support), 5, InProcess(), is_guided=False)
    assert report.verdict is Verdict.FAILED
    return {diagnosis.id for diagnosis in report.diagnoses}


@pytest.mark.parametrize(
    "by",
    [
        "(mask.data == 0) * -1e9",
        "Tensor((1.0 - mask.data) * FAR_BELOW)",
        "Tensor((mask.data == 0) * -7e5)",
        "Tensor((mask.data == 0) * -3e11)",
    ],
)
def test_a_wrong_axis_is_no_second_mistake_however_scores_are_pushed_down(by: str) -> None:
    assert named(PUSHED.format(by=by)) == {"softmax-dim"}


def test_a_missing_attribute_is_named_by_what_the_harness_says() -> None:
    assert named(UNNAMED) == {"head-dim-missing"}


def test_what_is_right_as_the_only_call_of_a_layer_remembers_another() -> None:
    assert named(REMEMBERING) == {"stale-cache"}


def test_a_weight_that_is_not_used_where_the_output_is_wrong_is_not_cut_off_from_the_graph() -> None:
    assert "detached-gradient" not in named(SHORT_WAY, "mha-functional")
