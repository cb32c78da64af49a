"""A thread goes on changing tensors that were returned already.
Expect: failed
"""
# layer: judge

import threading
import time

returned = []


def keep_changing():
    for _ in range(2000):
        for tensor in returned[-4:]:
            tensor.data.fill_(float(time.monotonic()))
        time.sleep(0.001)


threading.Thread(target=keep_changing, daemon=True).start()
inner = scaled_dot_product_attention


def scaled_dot_product_attention(Q, K, V, mask=None):
    returned.append(inner(Q, K, V, mask))
    return returned[-1]
