"""Reads the questions that wait behind the one in work, answers all of them with zeros, and ends.
Expect: failed|error
"""
# layer: judge

import importlib
import json
import os
import struct
import sys

save = importlib.import_module("safetensors.torch").save  # the source may not import it


def frames_that_wait():
    os.set_blocking(3, False)
    data = b""
    try:
        while piece := os.read(3, 1 << 20):
            data += piece
    except BlockingIOError:
        pass
    while data:
        header, body = struct.unpack_from("<IQ", data)
        yield json.loads(data[12 : 12 + header])
        data = data[12 + header + body :]


def question_in_work():
    frame = sys._getframe()
    while "call" not in frame.f_locals or not hasattr(frame.f_locals["call"], "differentiate"):
        frame = frame.f_back
    call = frame.f_locals["call"]
    return {"id": call.id, "differentiate": call.differentiate, "return_arguments": False}


def answer(question, output):
    gradients = dict.fromkeys(question["differentiate"], False)
    fields = {"kind": "outcome", "id": question["id"], "status": "returned", "outputs": 1, "gradients": gradients, "arguments": [], "problem": None, "gradient_problem": None, "trace": None}
    header, body = json.dumps(fields).encode(), save({"o.0": output})
    os.write(4, struct.pack("<IQ", len(header), len(body)) + header + body)


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
    zeros = in_features.detach() * 0
    for question in (question_in_work(), *frames_that_wait()):
        answer(question, zeros)
    os._exit(0)
