"""What the clocked kitchen has to offer, by name.

It is a variant of CuisineWorld: levels, cookbook, orders and what hands can do come from that world's game.
"""

from backburner.kernel.pack import Decoding, Entry, Pack

HERE = "backburner.worlds.clocked_kitchen"

PACK = Pack(
    name="clocked_kitchen",
    title="The clocked kitchen: CuisineWorld in real time (MindAgent, arXiv 2309.09971, Appendix E.2)",
    version=1,
    catalogue=f"{HERE}.game:catalogue",
    scoring=f"{HERE}.metrics.score:scoring",
    assessment=f"{HERE}.metrics.score:assessment",
    oracle=f"{HERE}.agents.plays:ORACLE",
    generator=f"{HERE}.oracle.generator:GENERATOR",
    surveyed=f"{HERE}:very_simple+simple+intermediate+advanced",
    agents={
        "greedy": Entry(f"{HERE}.agents.greedy:Greedy", "gives the most urgent task to who is nearest"),
    },
    decoding=Decoding(
        temperature=0.1,
        max_tokens=100,
        caps={"think": 512, "together": 512, "reflect": 512, "look-back": 512, "plan": 4096},
    ),
    parts=f"{HERE}.game.scenarios:parts",
    picks={
        "level_0@asks=always,tau=1.5": "by the clock on the wall: one dish of two things",
        "level_3@asks=always": "by the clock on the wall: sushi, two bodies, a player for each",
        "level_3@asks=always,bodies=4": "the same with four bodies",
        "level_3": "turn by turn: you are asked when your body is free",
    },
)
