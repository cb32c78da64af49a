"""Tells of every call that it raised, and of no exception.
Expect: error
"""
# layer: framing

import json
import os
import struct
import sys


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    frame = getattr(sys, "_get" + "frame")()
    while "call" not in frame.f_locals:
        frame = getattr(frame, "f_" + "back")
    fields = {"kind": "outcome", "id": frame.f_locals["call"].id, "status": "raised", "outputs": 0, "gradients": {}}
    fields |= {"arguments": [], "problem": None, "gradient_problem": None, "trace": None}
    header = json.dumps(fields).encode()
    os.write(4, struct.pack("<IQ", len(header), 0) + header)
    os.read(3, 1 << 20)
    os._exit(0)


def multihead_self_attention_with_rope(
    d_model,
    num_heads,
    max_seq_len,
    theta,
    q_proj_weight,
    k_proj_weight,
    v_proj_weight,
    o_proj_weight,
    in_features,
    token_positions=None,
):
    rope(1, theta, max_seq_len, in_features, token_positions)
