"""What Collab-Overcooked has to offer, by name."""

from backburner.kernel.pack import Decoding, Pack

HERE = "backburner.worlds.collab_overcooked"

PACK = Pack(
    name="collab_overcooked",
    title="Collab-Overcooked (EMNLP 2025, arXiv 2502.20073)",
    version=1,
    catalogue=f"{HERE}.game:catalogue",
    scoring=f"{HERE}.metrics.score:scoring",
    # The released program's 0.7; no caps are told.
    decoding=Decoding(temperature=0.7, max_tokens=1024),
)
