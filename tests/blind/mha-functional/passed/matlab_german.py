# Richtig: Kommentare auf Deutsch, Tabulatoren, ein Befehl je Zeile und print zum Suchen von Fehlern.
import torch

FEHLERSUCHE = False


def zeige(name, groesse):
	if FEHLERSUCHE:
		print(name, tuple(groesse.shape), groesse.dtype)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
	# Köpfe müssen aufgehen
	if d_model % num_heads != 0:
		raise ValueError("num_heads muss d_model teilen")
	breite = d_model // num_heads
	stapel, anfragen_laenge, schluessel_laenge = q.size(0), q.size(1), k.size(1)

	# Projektion: die Gewichte liegen als (aus, ein)
	zeilen = torch.arange(3 * d_model, device=in_proj_weight.device)
	anfrage = q @ torch.index_select(in_proj_weight, 0, zeilen[:d_model]).t()
	schluessel = k @ torch.index_select(in_proj_weight, 0, zeilen[d_model:-d_model]).t()
	wert = v @ torch.index_select(in_proj_weight, 0, zeilen[-d_model:]).t()
	zeige("anfrage", anfrage)

	# Köpfe nach vorn: (Köpfe, Stapel, Länge, Breite)
	anfrage = torch.stack(anfrage.split(breite, dim=-1))
	schluessel = torch.stack(schluessel.split(breite, dim=-1))
	wert = torch.stack(wert.split(breite, dim=-1))

	punkte = anfrage.matmul(schluessel.transpose(-1, -2)) / torch.sqrt(torch.tensor(float(breite), dtype=torch.float64)).item()
	if mask is not None:
		verborgen = mask.type(torch.bool)
		punkte = punkte.masked_fill(verborgen, float("-inf"))     # Köpfe stehen vorn, also passt die Maske so
	zeige("punkte", punkte)
	gewichte = torch.softmax(punkte, dim=3)
	ergebnis = gewichte.matmul(wert)
	ergebnis = torch.cat(ergebnis.unbind(0), dim=-1)
	assert ergebnis.shape == (stapel, anfragen_laenge, d_model), "falsche Form"
	return ergebnis @ out_proj_weight.t()
