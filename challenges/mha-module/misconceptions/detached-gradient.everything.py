"""The output has no graph, so nothing gets a gradient.

Somewhere everything passes through detach(), .data, .numpy() or no_grad, which make a new tensor with no link to the
original. Use the layers and their results as they are.
"""


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, x):
        return super().forward(x).detach()


class CausalAttention(CausalAttention):
    def forward(self, x):
        return super().forward(x).detach()
