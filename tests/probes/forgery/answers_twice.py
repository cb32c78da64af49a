"""Sends a second answer behind the first, for the next question.
Expect: error
"""
# layer: framing

import json
import os
import struct


def send(fields, body=b""):
    header = json.dumps(fields).encode()
    os.write(4, struct.pack("<IQ", len(header), len(body)) + header + body)


inner = rope


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    send({"kind": "outcome", "id": "rope", "status": "returned", "outputs": 1, "gradients": {}, "arguments": [], "problem": None, "gradient_problem": None, "trace": None})
    return inner(d_k, theta, max_seq_len, in_query_or_key, token_positions)
