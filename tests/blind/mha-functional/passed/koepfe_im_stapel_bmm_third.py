"""Multi-Head-Attention mit bmm: die Köpfe werden in die Batch-Achse gefaltet (Kommentare auf Deutsch)."""
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    # Breite eines Kopfes; muss aufgehen
    if d_model % num_heads != 0:
        raise ValueError("num_heads teilt d_model nicht")
    breite = d_model // num_heads
    anzahl, laenge_q, _ = q.shape
    laenge_k = k.shape[1]

    # Projektion: Gewichte liegen als (aus, ein)
    gewicht_q, gewicht_k, gewicht_v = in_proj_weight.chunk(3)
    anfrage = torch.matmul(q, gewicht_q.T)
    schluessel = torch.matmul(k, gewicht_k.T)
    wert = torch.matmul(v, gewicht_v.T)

    # (N, L, D) -> (N * Köpfe, L, Breite)
    def falten(x, laenge):
        x = x.reshape(anzahl, laenge, num_heads, breite).transpose(1, 2)
        return x.reshape(anzahl * num_heads, laenge, breite)

    anfrage = falten(anfrage, laenge_q)
    schluessel = falten(schluessel, laenge_k)
    wert = falten(wert, laenge_k)

    punkte = torch.bmm(anfrage, schluessel.transpose(1, 2)) / breite**0.5
    if mask is not None:
        # jede Maske auf volle Form, dann einmal je Kopf
        voll = mask.bool().expand(anzahl, laenge_q, laenge_k)
        voll = voll.repeat_interleave(num_heads, dim=0)
        punkte = punkte.masked_fill(voll, float("-inf"))
    anteil = torch.softmax(punkte, dim=-1)
    ergebnis = torch.bmm(anteil, wert)

    # zurückfalten und zusammenführen
    ergebnis = ergebnis.reshape(anzahl, num_heads, laenge_q, breite).transpose(1, 2)
    ergebnis = ergebnis.reshape(anzahl, laenge_q, d_model)
    return torch.matmul(ergebnis, gewicht_aus(out_proj_weight))


def gewicht_aus(gewicht):
    return gewicht.transpose(0, 1)
