"""What TimeArena has to offer, by name."""

from backburner.kernel.pack import LATENCY, Decoding, Entry, Headline, Pack

HERE = "backburner.worlds.timearena"

PACK = Pack(
    name="timearena",
    title="TimeArena (Zhang et al., ACL 2024, arXiv 2402.05733)",
    version=3,
    catalogue=f"{HERE}.game:catalogue",
    scoring=f"{HERE}.metrics.score:scoring",
    reproductions=f"{HERE}:data/reproductions.json",
    annotations=f"{HERE}.metrics.article:ANNOTATIONS",
    oracle=f"{HERE}.oracle.solver:ORACLE",
    oracle_arguments=(LATENCY,),
    generator=f"{HERE}.oracle.generator:GENERATOR",
    agents={
        "greedy": Entry(f"{HERE}.oracle.greedy:greedy", "the order of the released oracle script"),
        "learned": Entry(
            f"{HERE}.arrays.entities:learned",
            "a network that knows durations and requirements, trained by backburner train",
        ),
    },
    # Section 4.1. The article caps nothing; a cap keeps a model that rambles from holding up a run.
    decoding=Decoding(temperature=0.0, max_tokens=512),
    prompts=f"{HERE}:prompts",
    headline=Headline(
        {"singles": "AS*", "pairs": "AS*", "triples": "AS*"}, HERE, f"{HERE}.metrics.score:best"
    ),
    encoding=f"{HERE}.arrays.encoding:encoding",
    batch=f"{HERE}.arrays.tables:batch",
    entities=f"{HERE}.arrays.entities:entities",
    player=f"{HERE}.arrays.entities:player",
    training=f"{HERE}:data/learned/configuration.json",
    method_options={"reflexion": {"after": "error", "calls": "plain"}},
    parts=f"{HERE}.game.scenarios:parts",
    picks={
        "household1": "get a cup of tea ready",
        "cooking1+cooking2": "two dishes at once",
        "lab1+lab2": "two experiments at once",
    },
)
