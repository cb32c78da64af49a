"""A thread goes on changing the arguments to what would make the answer right.
Expect: failed
"""
# layer: judge

import threading
import time

given = []


def keep_changing():
    for _ in range(2000):
        for tensor in given[-4:]:
            tensor.data.zero_()
        time.sleep(0.001)


threading.Thread(target=keep_changing, daemon=True).start()


def scaled_dot_product_attention(Q, K, V, mask=None):
    given.extend((Q, K, V))
    return Q[..., :1] * V[..., :1, :] * 0
