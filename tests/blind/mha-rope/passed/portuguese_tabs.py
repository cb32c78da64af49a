# Certa: comentários em português, tabuladores, gather do cosseno e do seno.
import torch


def tabela(d_k, theta, comprimento, tipo, onde):
	par = torch.arange(0, d_k, 2, dtype=torch.float64, device=onde)
	frequencia = 1.0 / (theta ** (par / d_k))
	posicao = torch.arange(comprimento, dtype=torch.float64, device=onde)
	angulo = torch.outer(posicao, frequencia)
	return angulo.cos().to(tipo), angulo.sin().to(tipo)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
	x = in_query_or_key
	cosseno, seno = tabela(d_k, theta, max_seq_len, x.dtype, x.device)
	# as posições viram linhas da tabela
	linhas = token_positions.reshape(-1, 1).expand(-1, d_k // 2)
	forma = token_positions.shape + (d_k // 2,)
	cosseno = cosseno.gather(0, linhas).reshape(forma)
	seno = seno.gather(0, linhas).reshape(forma)
	pares = x.reshape(x.shape[:-1] + (d_k // 2, 2))
	primeiro, segundo = pares.unbind(dim=-1)
	novo_primeiro = primeiro * cosseno - segundo * seno
	novo_segundo = primeiro * seno + segundo * cosseno
	return torch.stack((novo_primeiro, novo_segundo), dim=-1).reshape(x.shape)


def scaled_dot_product_attention(Q, K, V, mask=None):
	pontos = Q.matmul(K.transpose(-2, -1)) / Q.shape[-1] ** 0.5
	if mask is not None:
		pontos = torch.where(mask, pontos, torch.tensor(float("-inf"), dtype=pontos.dtype, device=pontos.device))
	pesos = pontos.softmax(dim=-1)
	return pesos.matmul(V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
	# o número de cabeças tem que dividir d_model
	if d_model % num_heads != 0:
		raise ValueError("num_heads precisa dividir d_model")
	largura = d_model // num_heads
	comprimento = in_features.shape[-2]
	if token_positions is None:
		token_positions = torch.arange(comprimento, device=in_features.device)
	consulta = in_features.matmul(q_proj_weight.t())
	chave = in_features.matmul(k_proj_weight.t())
	valor = in_features.matmul(v_proj_weight.t())
	forma = in_features.shape[:-1] + (num_heads, largura)
	consulta = consulta.reshape(forma).transpose(-3, -2)
	chave = chave.reshape(forma).transpose(-3, -2)
	valor = valor.reshape(forma).transpose(-3, -2)
	posicoes = token_positions.unsqueeze(-2)
	consulta = rope(largura, theta, max_seq_len, consulta, posicoes)
	chave = rope(largura, theta, max_seq_len, chave, posicoes)
	saida = scaled_dot_product_attention(consulta, chave, valor)
	saida = saida.transpose(-3, -2).reshape(in_features.shape)
	return saida.matmul(o_proj_weight.t())
