"""Wrong: the queries of the multi-head function are scaled again, so that d_model and not d_head counts."""
import functools
import logging
import time
import warnings

import torch

warnings.filterwarnings("ignore", message=".*nested.*")
logger = logging.getLogger("rope")
logger.addHandler(logging.NullHandler())


def logged(f):
    calls = 0

    @functools.wraps(f)
    def inner(*args, **kwargs):
        nonlocal calls
        calls += 1
        start = time.monotonic()
        result = f(*args, **kwargs)
        logger.debug("%s #%d %s %.6f s", f.__name__, calls, tuple(result.shape), time.monotonic() - start)
        return result

    return inner


angles = lambda p, theta, d: p.double().unsqueeze(-1) * float(theta) ** (torch.arange(0, d, 2, device=p.device) / -d)
turn = lambda a, b, c, s: (a * c - b * s, a * s + b * c)
weave = lambda ab: torch.stack(ab, -1).flatten(-2)
seen = lambda n, device: torch.arange(n, device=device).unsqueeze(1) >= torch.arange(n, device=device)


@logged
def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x, a = in_query_or_key, angles(token_positions, theta, d_k)
    return weave(turn(x[..., ::2], x[..., 1::2], a.cos().to(x.dtype), a.sin().to(x.dtype)))


@logged
def scaled_dot_product_attention(Q, K, V, mask=None):
    try:
        scores = torch.matmul(Q, K.transpose(-2, -1)) / Q.shape[-1] ** 0.5
    except RuntimeError as error:
        raise ValueError(f"Q {tuple(Q.shape)} and K {tuple(K.shape)} do not fit together") from error
    scores = scores if mask is None else scores.masked_fill(~mask, -torch.inf)
    return torch.softmax(scores, -1) @ V


@logged
def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0, f"{num_heads} heads, {d_model} features"
    lead, n = in_features.shape[:-2], in_features.shape[-2]
    if (p := token_positions) is None:
        p = torch.arange(n, device=in_features.device)
    q, k, v = (torch.matmul(in_features, w.T).reshape(*lead, n, num_heads, -1).transpose(-3, -2) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
    q, k = (rope(d_model // num_heads, theta, max_seq_len, t, p.unsqueeze(-2)) for t in (q, k))
    z = scaled_dot_product_attention(q / num_heads**0.5, k, v, mask=seen(n, in_features.device))
    return torch.matmul(z.transpose(-3, -2).reshape(*lead, n, d_model), o_proj_weight.T)
