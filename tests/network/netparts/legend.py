"""The legend of the relief: labels and colours, from high to low (no numpy here: the server reads it too)."""

from __future__ import annotations

from typing import List, Tuple

RELIEF_LEGEND: List[Tuple[str, str]] = [
    ("Más de 1050 m", "#dec297"),
    ("950 – 1050 m", "#e8d2a6"),
    ("850 – 950 m", "#f0e1b9"),
    ("750 – 850 m", "#f4eccb"),
    ("650 – 750 m", "#eff0d2"),
    ("550 – 650 m", "#e6ecca"),
    ("Menos de 550 m", "#dce8c4"),
    ("Arbolado", "#a8c78f"),
]
