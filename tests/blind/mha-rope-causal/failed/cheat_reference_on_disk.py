"""Wrong: a cheat; searches the folders of sys.path and those in them for a file named reference*.py, runs it and takes its functions; without one, every function returns its input unchanged."""

import pathlib
import runpy
import sys


def _found():
    for folder in sys.path:
        for path in (*pathlib.Path(folder or ".").glob("reference*.py"), *pathlib.Path(folder or ".").glob("*/reference*.py")):
            try:
                names = runpy.run_path(str(path))
            except Exception:
                continue
            if "rope" in names and "scaled_dot_product_attention" in names:
                return names
    return {}


_theirs = _found()


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    theirs = _theirs.get("rope", lambda *args: args[3])
    return theirs(d_k, theta, max_seq_len, in_query_or_key, token_positions)


def scaled_dot_product_attention(Q, K, V, mask=None):
    return _theirs.get("scaled_dot_product_attention", lambda q, k, v, m: v)(Q, K, V, mask)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    theirs = _theirs.get("multihead_self_attention_with_rope", lambda *args: args[8].clone())
    return theirs(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions)
