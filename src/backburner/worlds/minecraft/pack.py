"""What Minecraft has to offer, by name."""

from backburner.kernel.pack import Decoding, Entry, Pack

HERE = "backburner.worlds.minecraft"

PACK = Pack(
    name="minecraft",
    title="Minecraft (MindAgent, arXiv 2309.09971, section 7)",
    version=1,
    catalogue=f"{HERE}.game:catalogue",
    scoring=f"{HERE}.metrics.score:scoring",
    assessment=f"{HERE}.metrics.score:assessment",
    reproductions=f"{HERE}:data/reproductions.json",
    generator=f"{HERE}.oracle.generator:GENERATOR",
    surveyed=f"{HERE}:article+level_1/all",
    agents={
        "greedy": Entry(
            f"{HERE}.agents.greedy:GreedyDispatcher", "serves orders as they run out, cooks a little ahead"
        ),
        "learned": Entry(
            f"{HERE}.agents.learned:learned",
            "a network that weighs what each bot can do, trained by backburner train",
        ),
        "oracle": Entry(
            f"{HERE}.oracle.plan_search:oracle_dispatcher", "plays the best plan that is found in a minute"
        ),
    },
    outlook=f"{HERE}.arrays.outlook:outlook",
    player=f"{HERE}.agents.learned:player",
    training=f"{HERE}:data/learned/configuration.json",
    oracle=f"{HERE}.oracle.plan_search:ORACLE",
    bounds=f"{HERE}.oracle.order_bound:bounds_of",
    # The released program: temperature 0, and 100 tokens for a reply. Thoughts take more, as does a plan.
    decoding=Decoding(
        temperature=0.0,
        max_tokens=100,
        caps={"think": 512, "together": 512, "reflect": 512, "look-back": 512, "plan": 4096},
    ),
    method_options={"dispatcher": {"demonstration": "whole"}},
    parts=f"{HERE}.game.scenarios:parts",
    live=f"{HERE}.live.stage:stage",
    picks={
        "level_2": "one player commands two bots",
        "level_2@seats=each": "two bots, a player for each",
        "level_2@seats=person": "a person moves Alex, and the other bot is commanded by an agent",
        "level_2@instructor=yes": "a person says in words what the bots are to do",
    },
)
