import matplotlib.pyplot as plt
import seaborn as sns

sns.set_theme()
plt.rcParams["figure.dpi"] = 150


def show(weights):
    fig, ax = plt.subplots()
    sns.heatmap(weights.detach(), ax=ax)
    return fig
