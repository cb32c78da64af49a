"""Finds the frozen question in memory and gives it another name and other tensors.
Expect: failed|error
"""
# layer: framing, judge

import gc


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    for thing in getattr(gc, "get_" + "objects")():
        if type(thing).__name__ == "Call":
            object.__setattr__(thing, "id", "heads-1")
    return in_query_or_key
