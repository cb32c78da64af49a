"""Ends with status 0 when it is asked.
Expect: error
"""
# layer: judge

import os


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    os._exit(0)
