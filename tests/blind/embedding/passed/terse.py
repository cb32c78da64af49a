import torch as T
class Embedding(T.nn.Module):
    def __init__(self, n, d, device=None, dtype=None):
        super().__init__()
        self.weight = T.nn.Parameter(T.nn.init.trunc_normal_(T.empty(n, d, device=device, dtype=dtype), 0, 1, -3, 3))
    forward = lambda self, i: self.weight[i, :]
