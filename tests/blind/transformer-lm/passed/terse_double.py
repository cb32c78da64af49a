import torch as t
def transformer_block(x, W, H, M, theta, token_positions=None, eps=1e-5):
    X=x.double();w={k:v.double() for k,v in W.items()};n,d=x.shape[-2:];e=d//H
    N=lambda z,g:z*((z*z).mean(-1,True)+eps)**-.5*g
    p=(t.arange(n) if token_positions is None else token_positions).double()
    a=(p[...,None]*theta**(-t.arange(0,e,2).double()/e))[...,None,:]
    def R(z): u,v=z[...,::2],z[...,1::2]; return t.stack([u*a.cos()-v*a.sin(),u*a.sin()+v*a.cos()],-1).flatten(-2)
    z=N(X,w["attn_norm.weight"]);q,k,v=[(z@w[f"attn.{c}_proj.weight"].T).unflatten(-1,(H,e)) for c in "qkv"]
    s=t.einsum("...ihd,...jhd->...hij",R(q),R(k))/e**.5
    s=(s+t.full((n,n),-t.inf).triu(1)).softmax(-1)
    X=X+t.einsum("...hij,...jhd->...ihd",s,v).flatten(-2)@w["attn.o_proj.weight"].T
    z=N(X,w["ffn_norm.weight"]);g=z@w["ffn.w1.weight"].T
    return (X+(g*g.sigmoid()*(z@w["ffn.w3.weight"].T))@w["ffn.w2.weight"].T).to(x.dtype)

def transformer_lm(ids, W, L, H, M, theta, eps=1e-5):
    x = W["token_embeddings.weight"].double()[ids]
    for i in range(L): x = transformer_block(x, {k.split(".", 2)[2]: v for k, v in W.items() if k.split(".")[:2] == ["layers", str(i)]}, H, M, theta, eps=eps)
    x = x * ((x * x).mean(-1, True) + eps) ** -.5 * W["final_norm.weight"].double()
    return (x @ W["lm_head.weight"].double().T).to(W["lm_head.weight"].dtype)
