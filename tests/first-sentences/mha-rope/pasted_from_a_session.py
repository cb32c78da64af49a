# Says: This was copied from an interactive session, with its prompts.
# Line: 4
# Names: >>>
>>> import torch
>>> def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
...     return in_query_or_key
