"""What Robotouille has to offer, by name."""

from backburner.kernel.pack import LATENCY, Decoding, Entry, Headline, Pack

HERE = "backburner.worlds.robotouille"

# The form that the article chose (section A.8), with one example (section 4.1).
REACT = {"calls": "together", "history": "last-reasoning-action", "plan": "on", "examples": "1"}

PACK = Pack(
    name="robotouille",
    title="Robotouille (ICLR 2025, arXiv 2502.05227)",
    version=2,
    catalogue=f"{HERE}.game:catalogue",
    scoring=f"{HERE}.metrics.score:scoring",
    reproductions=f"{HERE}:data/reproductions.json",
    annotations=f"{HERE}.metrics.analysis:ANNOTATIONS",
    oracle=f"{HERE}.oracle.solver:ORACLE",
    oracle_arguments=(LATENCY,),
    agents={
        "greedy": Entry(f"{HERE}.agents.planned:FollowerPolicy", "follows the recipes"),
        "oracle": Entry(f"{HERE}.agents.planned:oracle", "plays the shipped plan, or the best that is found"),
    },
    demonstrator=f"{HERE}.agents.planned:demonstrator",
    stand_in=f"{HERE}.agents.planned:AlongThePlan",
    shipped_plan=f"{HERE}.agents.planned:shipped",
    steps_to_go=Entry(f"{HERE}.oracle.solver:to_go_of_failures", "how far failures were from the goal"),
    generator=f"{HERE}.oracle.generator:GENERATOR",
    encoding=f"{HERE}.arrays.encoding:encoding",
    batch=f"{HERE}.arrays.tables:batch",
    # Section 4.1. No caps are told; whole plans with predictions run long.
    decoding=Decoding(temperature=0.7, max_tokens=1024, caps={"plan": 4096}),
    prompts=f"{HERE}:prompts",
    headline=Headline(
        {"synchronous": "Success", "asynchronous": "Success"}, HERE, f"{HERE}.metrics.score:best"
    ),
    method_options={
        "react": REACT,
        "reflexion": REACT,
        "io": {"examples": "1"},
        "io-cot": {"examples": "1"},
    },
    parts=f"{HERE}.game.scenarios:parts",
    picks={
        "synchronous/1@seed=42": "a cheese sandwich",
        "asynchronous/1@seed=42": "a sandwich while the chicken fries",
        "multi_agent/1@seed=42": "two robots make a burger",
    },
)
