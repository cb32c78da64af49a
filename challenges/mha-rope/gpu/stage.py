"""What a submission that has passed is put to on a GPU: the paper's cases again, there, and the lecture's own size.

No part of the verdict, and so no part of the challenge's version. docs/gpu.md says what becomes of it.
"""

import math

from grader.authoring import Call, Case, Drawn

MHA = "multihead_self_attention_with_rope"
# What the ids of cases with logits of several hundred begin with.
LARGE_LOGITS = ("accuracy/", "attention/large-logits", "attention/mask-low-scores")
# In roundings of the largest value, as docs/tolerance.md counts them. On the longest way to an output eight results are
# rounded, each by half an epsilon (sums are kept in float32): projection, table, rotation, score, scale, softmax, weighted
# sum, projection. A logit's error counts by its size, some 4 here.
BFLOAT16_GROWTH = 8 * 0.5 * 4

# Batch 32 is the size of the lecture: the scores alone are 32 * 32 * 2048**2 * 4 bytes = 17.2 GB. Where that does not fit,
# the largest of these that does.
BATCHES = (32, 16, 8, 4, 2, 1)
SEQ, D_MODEL, HEADS = 2048, 4096, 32
FLOAT_BYTES = 4


def is_asked_in_bfloat16(case: Case) -> bool:
    """Not where logits are so large that bfloat16 has no digits for them."""
    scores = dict(case.traits).get("scores", "usual")
    return scores == "usual" and not case.id.startswith(LARGE_LOGITS)


def headline(batch: int) -> Call:
    """The call that is timed: weights and features as a layer at its start has them."""
    weights = {
        name: Drawn((D_MODEL, D_MODEL), 1 / math.sqrt(D_MODEL))
        for name in ("q_proj_weight", "k_proj_weight", "v_proj_weight", "o_proj_weight")
    }
    sizes = {"d_model": D_MODEL, "num_heads": HEADS, "max_seq_len": SEQ, "theta": 10_000.0}
    return Call("", MHA, {**sizes, **weights, "in_features": Drawn((batch, SEQ, D_MODEL))})


def size_of(batch: int) -> str:
    return f"batch {batch}, sequence {SEQ:,}, d_model {D_MODEL:,}, {HEADS} heads, float32"


def bytes_of(batch: int) -> int:
    """What a plain right answer holds at most: scores, scaled scores and weights; weights; some ten times the features."""
    scores, features = batch * HEADS * SEQ**2, batch * SEQ * D_MODEL
    return FLOAT_BYTES * (3 * scores + 4 * D_MODEL**2 + 10 * features)
