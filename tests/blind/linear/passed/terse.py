import torch as t
class Linear(t.nn.Module):
 def __init__(s,i,o,device=None,dtype=None):
  super().__init__();d=(2/(i+o))**.5
  s.weight=t.nn.Parameter(t.nn.init.trunc_normal_(t.empty(o,i,device=device,dtype=dtype),std=d,a=-3*d,b=3*d))
 def forward(s,x):return x@s.weight.mT
