"""What the clocked kitchen has to offer, by name.

It is a variant of CuisineWorld: levels, cookbook, orders and what hands can do come from that world's game.
"""

from backburner.kernel.pack import Decoding, Entry, Pack, Tutorial, TutorialStep

HERE = "backburner.worlds.clocked_kitchen"

SPACE, START = ("space",), ("e",)

TUTORIAL = Tutorial(
    "level_12@asks=always,bodies=1,episode=2,seconds=600,tau=30.0",
    (
        TutorialStep(
            "French fries are ordered. Take a potato: click its shelf, or walk there with the arrow keys and "
            "press space.",
            ("storage0-potato",),
            ("↑ ↓ ← →", *SPACE),
            holds="potato",
        ),
        TutorialStep("Put it on a chopping board.", ("chopboard",), SPACE, has="potato"),
        TutorialStep(
            "Cut it: click the board again, or press e before it. It takes a second.",
            ("chopboard",),
            START,
            has="potatoSlice",
        ),
        TutorialStep("Take the slices.", ("chopboard",), SPACE, holds="potatoSlice"),
        TutorialStep("Put them into the fryer.", ("fryer",), SPACE, has="potatoSlice"),
        TutorialStep(
            "Start the fryer. While it works your hands are free for something else.",
            ("fryer",),
            START,
            has="frenchFries",
        ),
        TutorialStep("Take the french fries.", ("fryer",), SPACE, holds="frenchFries"),
        TutorialStep(
            "Serve them: bring them to the serving table.", ("servingtable",), SPACE, event="delivered"
        ),
    ),
)

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
    tutorial=TUTORIAL,
)
