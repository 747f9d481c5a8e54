"""What CuisineWorld has to offer, by name."""

from backburner.kernel.pack import LATENCY, Decoding, Entry, Headline, Pack

HERE = "backburner.worlds.cuisineworld"

PACK = Pack(
    name="cuisineworld",
    title="CuisineWorld (MindAgent, arXiv 2309.09971)",
    version=2,
    catalogue=f"{HERE}.game:catalogue",
    scoring=f"{HERE}.metrics.score:scoring",
    assessment=f"{HERE}.metrics.measures:assessment",
    reproductions=f"{HERE}:data/reproductions.json",
    annotations=f"{HERE}.metrics.measures:ANNOTATIONS",
    oracle=f"{HERE}.oracle.beam_search:ORACLE",
    oracle_arguments=(LATENCY,),
    generator=f"{HERE}.oracle.generator:GENERATOR",
    agents={
        "greedy": Entry(
            f"{HERE}.agents.dispatchers:GreedyDispatcher", "gives no order up, cooks and looks ahead"
        ),
        "allocation": Entry(
            f"{HERE}.agents.dispatchers:allocation",
            "the allocation problem of the article, solved at every step",
        ),
        "learned": Entry(
            f"{HERE}.agents.learned:learned", "a network that reads the recipes, trained by backburner train"
        ),
        "learned-middle": Entry(
            f"{HERE}.agents.learned:learned_middle",
            "a network early in its training: CoS 0.73 of two bodies",
        ),
        "learned-low": Entry(
            f"{HERE}.agents.learned:learned_low",
            "a network that just began to learn: CoS 0.58 of two bodies",
        ),
        "masked-ppo": Entry(
            f"{HERE}.agents.learned:masked_ppo", "trained on one level alone, as in the article's Table 12"
        ),
        "oracle": Entry(
            f"{HERE}.oracle.beam_search:oracle_dispatcher", "plays the best plan that is found in a minute"
        ),
    },
    bounds=f"{HERE}.oracle.order_bound:bounds_of",
    batch=f"{HERE}.arrays.tables:batch",
    encoding=f"{HERE}.arrays.encoding:encoding",
    entities=f"{HERE}.arrays.entities:entities",
    player=f"{HERE}.agents.learned:player",
    training=f"{HERE}:data/learned/configuration.json",
    # Section 5 and the released program: 0.1, and 100 tokens for a reply. Thoughts take more, as does a plan
    # of 60 steps.
    decoding=Decoding(
        temperature=0.1,
        max_tokens=100,
        caps={"think": 512, "together": 512, "reflect": 512, "look-back": 512, "plan": 4096},
    ),
    headline=Headline(
        dict.fromkeys(("very_simple", "simple", "intermediate", "advanced"), "CoS"),
        HERE,
        f"{HERE}.oracle.order_bound:best",
    ),
    method_options={"dispatcher": {"demonstration": "whole"}},
    parts=f"{HERE}.game.scenarios:parts",
    picks={
        "level_3@seats=each": "two bodies, a player for each, orders keep coming",
        "level_3@bodies=4,seats=each": "four bodies, a player for each",
        "level_3": "one player commands two bodies",
        "level_3@seats=person": "a person, and a dispatcher who commands the other body",
    },
)
