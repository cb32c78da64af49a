"""MultiHeadAttention that trusts inference_mode.

Idea: In inference_mode nothing is hidden, in the belief that later tokens do not exist yet.
Where: only in inference_mode
Id: causal-mask
"""

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super(CausalAttention, self).__init__()
        # save the numbers
        self.d_in = d_in
        self.d_out = d_out
        self.context_length = context_length
        # make the three layers
        if qkv_bias == True:
            self.W_query = nn.Linear(d_in, d_out, bias=True)
            self.W_key = nn.Linear(d_in, d_out, bias=True)
            self.W_value = nn.Linear(d_in, d_out, bias=True)
        else:
            self.W_query = nn.Linear(d_in, d_out, bias=False)
            self.W_key = nn.Linear(d_in, d_out, bias=False)
            self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout_layer = nn.Dropout(dropout)

    def forward(self, x):
        batch_size = x.shape[0]
        n_tokens = x.shape[1]
        query = self.W_query(x)
        key = self.W_key(x)
        value = self.W_value(x)
        # every query with every key
        key_t = torch.transpose(key, 1, 2)
        score = torch.matmul(query, key_t)
        # scale
        score = score / (self.d_out ** 0.5)
        # mask: 1 above the diagonal
        mask = torch.ones(n_tokens, n_tokens, device=x.device)
        mask = torch.triu(mask, diagonal=1)
        mask = mask == 1
        score = torch.masked_fill(score, mask, -torch.inf)
        # softmax, dropout, sum
        weight = torch.softmax(score, dim=2)
        weight = self.dropout_layer(weight)
        output = torch.matmul(weight, value)
        return output


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super(MultiHeadAttention, self).__init__()
        # check first
        if d_out % num_heads != 0:
            raise ValueError("d_out cannot be divided by num_heads!")
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = int(d_out / num_heads)
        # layers
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout_layer = nn.Dropout(dropout)

    def forward(self, x):
        batch_size = x.shape[0]
        n_tokens = x.shape[1]
        # 1. project
        query = self.W_query(x)
        key = self.W_key(x)
        value = self.W_value(x)
        # 2. cut into heads
        query = query.reshape(batch_size, n_tokens, self.num_heads, self.head_dim)
        key = key.reshape(batch_size, n_tokens, self.num_heads, self.head_dim)
        value = value.reshape(batch_size, n_tokens, self.num_heads, self.head_dim)
        # 3. heads before tokens
        query = torch.transpose(query, 1, 2)
        key = torch.transpose(key, 1, 2)
        value = torch.transpose(value, 1, 2)
        # 4. scores
        score = torch.matmul(query, torch.transpose(key, 2, 3))
        score = score / (self.head_dim ** 0.5)
        # 5. mask
        mask = torch.triu(torch.ones(n_tokens, n_tokens, device=x.device), diagonal=1) == 1
        if not torch.is_inference_mode_enabled():
            score = torch.masked_fill(score, mask, -torch.inf)
        # 6. weights
        weight = torch.softmax(score, dim=3)
        weight = self.dropout_layer(weight)
        # 7. context
        context = torch.matmul(weight, value)
        context = torch.transpose(context, 1, 2)
        context = context.reshape(batch_size, n_tokens, self.d_out)
        # 8. project
        output = self.out_proj(context)
        return output
