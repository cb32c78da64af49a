"""The output has no graph, so nothing gets a gradient.

Somewhere all of it passes through detach(), .data, .numpy() or no_grad, which make numbers that do not know where they come
from. Use the layers and their results as they are.
"""


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, x):
        return super().forward(x).detach()


class CausalAttention(CausalAttention):
    def forward(self, x):
        return super().forward(x).detach()
