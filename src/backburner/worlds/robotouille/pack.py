"""What Robotouille has to offer, by name."""

from backburner.kernel.pack import Decoding, Pack

HERE = "backburner.worlds.robotouille"

# The form that the article chose (section A.8), with one example (section 4.1).
REACT = {"calls": "together", "history": "last-reasoning-action", "plan": "on", "examples": "1"}

PACK = Pack(
    name="robotouille",
    title="Robotouille (ICLR 2025, arXiv 2502.05227)",
    version=1,
    catalogue=f"{HERE}.game:catalogue",
    scoring=f"{HERE}.metrics.score:scoring",
    # Section 4.1. No caps are told; whole plans with predictions run long.
    decoding=Decoding(temperature=0.7, max_tokens=1024, caps={"plan": 4096}),
    method_options={
        "react": REACT,
        "reflexion": REACT,
        "io": {"examples": "1"},
        "io-cot": {"examples": "1"},
    },
)
