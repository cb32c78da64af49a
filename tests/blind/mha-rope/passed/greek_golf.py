"""As short as it gets, with Greek identifiers and lambdas."""

import torch as τ


def rope(δ, θ, _, ξ, π):
    φ = π[..., None].double() * θ ** (-τ.arange(0, δ, 2).to(π.device).double() / δ)
    γ, σ, (α, β) = φ.cos().to(ξ), φ.sin().to(ξ), ξ.unflatten(-1, (-1, 2)).unbind(-1)
    return τ.stack((α * γ - β * σ, α * σ + β * γ), -1).flatten(-2)


def scaled_dot_product_attention(Κ, Λ, Μ, μάσκα=None):
    ς = Κ @ Λ.mT / Κ.shape[-1] ** 0.5
    return (ς if μάσκα is None else ς.where(μάσκα, -τ.inf)).softmax(-1) @ Μ


def multihead_self_attention_with_rope(δ, η, μ, θ, ω_q, ω_k, ω_v, ω_o, χ, π=None):
    assert not δ % η
    π = τ.arange(χ.shape[-2]).to(χ.device) if π is None else π
    π = π.flatten() if π.numel() == χ.shape[-2] else π[..., None, :]
    ρ, ψ = lambda ω: (χ @ ω.T).unflatten(-1, (η, -1)).transpose(-3, -2), lambda τάση: rope(δ // η, θ, μ, τάση, π)
    return scaled_dot_product_attention(ψ(ρ(ω_q)), ψ(ρ(ω_k)), ρ(ω_v)).transpose(-3, -2).flatten(-2) @ ω_o.T
