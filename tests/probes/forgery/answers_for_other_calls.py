"""Answers with the names of calls that come later.
Expect: error
"""
# layer: framing

import json
import os
import struct


def send(fields, body=b""):
    header = json.dumps(fields).encode()
    os.write(4, struct.pack("<IQ", len(header), len(body)) + header + body)


def scaled_dot_product_attention(Q, K, V, mask=None):
    for name in ("heads-1", "heads-16", "efficiency/0", "efficiency/1"):
        send({"kind": "outcome", "id": name, "status": "returned", "outputs": 1, "gradients": {}, "arguments": [], "problem": None, "gradient_problem": None, "trace": None})
    return V


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    scaled_dot_product_attention(None, None, None)
    return in_query_or_key
