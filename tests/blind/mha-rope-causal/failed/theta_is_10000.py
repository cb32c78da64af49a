# Wrong: theta is fixed at 10000, the argument is ignored (theta 인자를 무시합니다).
import torch

def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    입력 = in_query_or_key.double()
    주파수 = 10000.0 ** (-torch.arange(0, d_k, 2).double() / d_k)
    각도 = token_positions.double().unsqueeze(-1) * 주파수.to(입력.device)
    짝수, 홀수 = 입력[..., 0::2], 입력[..., 1::2]
    결과 = torch.empty_like(짝수 * 각도).repeat_interleave(2, dim=-1)
    결과[..., 0::2] = 짝수 * 각도.cos() - 홀수 * 각도.sin()
    결과[..., 1::2] = 짝수 * 각도.sin() + 홀수 * 각도.cos()
    return 결과.to(in_query_or_key.dtype)

def scaled_dot_product_attention(Q, K, V, mask=None):
    점수 = Q.double() @ K.double().transpose(-2, -1) / Q.shape[-1] ** 0.5
    if mask is not None:
        점수 = 점수.masked_fill(mask == 0, float("-inf"))   # 볼 수 없는 곳
    가중치 = torch.softmax(점수, dim=-1)
    return (가중치 @ V.double()).to(V.dtype)

def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads != 0:
        raise ValueError("num_heads는 d_model을 나누어야 합니다")
    길이 = in_features.shape[-2]; 폭 = d_model // num_heads
    위치 = token_positions if token_positions is not None else torch.arange(길이, device=in_features.device)
    머리 = lambda 가중치: (in_features @ 가중치.T).reshape(*in_features.shape[:-1], num_heads, 폭).transpose(-3, -2)
    질의 = rope(폭, theta, max_seq_len, 머리(q_proj_weight), 위치.unsqueeze(-2))
    키 = rope(폭, theta, max_seq_len, 머리(k_proj_weight), 위치.unsqueeze(-2))
    값 = 머리(v_proj_weight)
    과거 = torch.tril(torch.ones(길이, 길이, device=in_features.device)).bool()
    출력 = scaled_dot_product_attention(질의, 키, 값, 과거)
    return 출력.transpose(-3, -2).reshape(*in_features.shape) @ o_proj_weight.T
