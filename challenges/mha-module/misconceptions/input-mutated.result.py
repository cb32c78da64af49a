"""The result is written into x {each}.

x belongs to the caller, who may need it again: for a residual connection, or for another call. Return a new tensor,
whether gradients are recorded or not.
"""

EACH = {"under no_grad": False, "in eval() under no_grad": True}


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, x):
        output = super().forward(x)
        if torch.is_grad_enabled() or x.shape != output.shape or (each and self.training):
            return output
        return x.copy_(output)
