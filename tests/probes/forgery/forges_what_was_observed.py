"""Writes down itself what it was seen to do, and does it wrong.
Expect: failed|error
"""
# layer: judge

import importlib

frames = importlib.import_module("worker.sandbox.frames")
frames._encode_trace = lambda trace: {
    "operations": 1,
    "kernels": [],
    "torch_functions": [],
    "own_functions": ["rope", "scaled_dot_product_attention"],
    "yielding": ["rope", "scaled_dot_product_attention"],
    "altered": 1,
    "unseen": [],
    "taken_out": False,
}
