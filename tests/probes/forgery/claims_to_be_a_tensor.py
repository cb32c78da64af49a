"""Returns an object that says that its class is Tensor.
Expect: failed|error
"""
# layer: judge

class Liar:
    def __init__(self, tensor):
        self.tensor = tensor

    @property
    def __class__(self):
        return torch.Tensor

    def __getattr__(self, name):
        return getattr(self.tensor, name)


inner = rope


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return Liar(inner(d_k, theta, max_seq_len, in_query_or_key, token_positions))
