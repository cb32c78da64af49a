"""Pasted with its prompt.
Rejected: not valid Python
"""

In [5]: class MultiHeadAttention(nn.Module):
    pass
