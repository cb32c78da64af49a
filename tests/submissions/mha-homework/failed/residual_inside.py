"""x is added: every call raises, but that of the sizes. No known mistake says so.
Says: The size of tensor a
"""

import torch as t,torch.nn as n
class MultiHeadAttention(n.Module):
 def __init__(s,d_in,d_out,context_length,dropout,num_heads,qkv_bias=False):
  super().__init__();assert d_out%num_heads==0;s.h=num_heads
  s.W_q,s.W_k,s.W_v=(n.Linear(d_in,d_out,qkv_bias)for _ in'qkv');s.W_o=n.Linear(d_out,d_out);s.d=n.Dropout(dropout)
 def forward(s,x):
  q,k,v=(w(x).unflatten(-1,(s.h,-1)).transpose(1,2)for w in(s.W_q,s.W_k,s.W_v))
  a=q@k.mT/q.shape[-1]**.5;a=a+t.full_like(a,-t.inf).triu(1)
  return x+s.W_o((s.d(a.softmax(-1))@v).transpose(1,2).flatten(2))
