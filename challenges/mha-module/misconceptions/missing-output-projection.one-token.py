"""A single token gets its value back {each}, without out_proj.

One token has nobody but itself to attend to, so its weight is 1; but out_proj comes after that, as it does for more tokens. No
length needs a way of its own.
"""

EACH = {"as it is": False, "with dropout on its features": True}


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, x):
        if x.shape[1] > 1:
            return super().forward(x)
        return self.dropout(self.W_value(x)) if each else self.W_value(x)
