"""Sends tensors that lie over each other and beyond the end.
Expect: error
"""
# layer: framing

import json
import os
import struct


def send(fields, body=b""):
    header = json.dumps(fields).encode()
    os.write(4, struct.pack("<IQ", len(header), len(body)) + header + body)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    table = b'{"o.0":{"dtype":"F32","shape":[1000000],"data_offsets":[0,4]}}'
    body = struct.pack("<Q", len(table)) + table + bytes(4)
    send({"kind": "outcome", "id": "rope", "status": "returned", "outputs": 1}, body)
    os._exit(0)


multihead_inner = multihead_self_attention_with_rope


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
