"""Names for made-up students."""

from dataclasses import dataclass
from random import Random
from typing import Final

FIRST: Final = """
Aisha Akira Alice Amara Ananya Andrei Anna Arjun Astrid Ayumi Beatriz Bilal Björn Camila Carlos Chen Chiara
Daniel Diego Dmitri Elif Emeka Emil Emma Erik Fatima Felix Finn Gabriela Giulia Hana Hannah Hassan Hugo
Ibrahim Ines Ingrid Isabel Ivan Jakob Jamal Jana Jin João Julia Kai Kavya Kenji Kofi Lars Layla Lena Leo Liam
Lin Lucas Lucía Magnus Malik Maria Mateo Maya Mei Mila Minh Mira Mohamed Nadia Naomi Nikolai Nina Noah Noor
Olga Omar Oscar Paula Pavel Priya Rania Ravi Rosa Sana Santiago Sara Selin Seo-yeon Sofia Tariq Thandi Tomás
Valentina Victor Wei Yara Yuki Yusuf Zainab Zara Zoé
"""
LAST: Final = """
Abebe Adeyemi Ahmed Almeida Andersen Arslan Bauer Becker Berg Bianchi Castro Chandra Chen Costa Dang Diallo
Eriksson Farouk Fernández Fischer Fontaine García Gupta Haddad Hansen Hoffmann Horváth Ito Ivanova Jansen
Jensen Kaya Kim Kowalski Kumar Lange Larsen Laurent Lee Liu López Maier Mbeki Mendes Moreau Müller Nakamura
Nguyen Nowak Okafor Olsen Osei Park Patel Pereira Petrov Popescu Rahman Ramos Rao Rossi Saito Santos Schmidt
Shah Silva Singh Sørensen Suzuki Takeda Tanaka Torres Tran Vargas Virtanen Wagner Wang Weber Yamada Yilmaz
Zhang Zimmermann
"""
_PLAIN: Final = str.maketrans("áãçéèêíîóöøõúüışñ", "aaceeeiioooouuisn")


@dataclass(frozen=True)
class Person:
    """`name` is what they sign in as."""

    name: str
    full_name: str


def people(random: Random, count: int) -> list[Person]:
    """Invents so many people with different names."""
    pairs = random.sample([(first, last) for first in FIRST.split() for last in LAST.split()], count)
    return [Person(f"{_plain(first)}.{_plain(last)}", f"{first} {last}") for first, last in pairs]


def _plain(name: str) -> str:
    return "".join(char for char in name.lower().translate(_PLAIN) if char.isascii() and char.isalpha())
