"""Returns bytes and objects that would run code where they are unpickled.
Expect: failed|error
"""
# layer: framing, judge

import pickle


class Bomb:
    def __reduce__(self):
        import os

        return os.system, ("touch /tmp/assay-probe-pickle",)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return pickle.dumps(Bomb())


def scaled_dot_product_attention(Q, K, V, mask=None):
    return Bomb()
