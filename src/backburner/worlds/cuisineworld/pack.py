"""What CuisineWorld has to offer, by name."""

from backburner.kernel.pack import Decoding, Pack

HERE = "backburner.worlds.cuisineworld"

PACK = Pack(
    name="cuisineworld",
    title="CuisineWorld (MindAgent, arXiv 2309.09971)",
    version=1,
    catalogue=f"{HERE}.game:catalogue",
    scoring=f"{HERE}.metrics.score:scoring",
    bounds=f"{HERE}.oracle.order_bound:bounds_of",
    # Section 5 and the released program: 0.1, and 100 tokens for a reply. Thoughts take more, as does a plan
    # of 60 steps.
    decoding=Decoding(
        temperature=0.1,
        max_tokens=100,
        caps={"think": 512, "together": 512, "reflect": 512, "look-back": 512, "plan": 4096},
    ),
    method_options={"dispatcher": {"demonstration": "whole"}},
)
