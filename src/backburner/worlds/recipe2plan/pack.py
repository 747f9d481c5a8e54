"""What Recipe2Plan has to offer, by name."""

from backburner.kernel.pack import LATENCY, Decoding, Entry, Headline, Pack

HERE = "backburner.worlds.recipe2plan"

PACK = Pack(
    name="recipe2plan",
    title="Recipe2Plan (Wu et al., 2025, arXiv 2503.02238)",
    version=3,
    catalogue=f"{HERE}.game:catalogue",
    scoring=f"{HERE}.metrics.score:scoring",
    assessment=f"{HERE}.metrics.assessment:assessment",
    reproductions=f"{HERE}:data/reproductions.json",
    annotations=f"{HERE}.metrics.failures:ANNOTATIONS",
    from_words=f"{HERE}.game.from_words:from_words",
    oracle=f"{HERE}.oracle.solver:ORACLE",
    oracle_arguments=(LATENCY,),
    agents={
        "greedy": Entry(f"{HERE}.agents.planned:greedy", "the plan of the article's Algorithm 1"),
        "oracle": Entry(
            f"{HERE}.agents.planned:oracle", "plays the best plan that the world's oracle finds in a minute"
        ),
        "stepwise": Entry(f"{HERE}.agents.planned:stepwise", "the oracle's plan, one action at a decision"),
    },
    demonstrator=f"{HERE}.agents.planned:example",
    stand_in=f"{HERE}.agents.planned:StepByStep",
    generator=f"{HERE}.oracle.generator:GENERATOR",
    # Appendix C: 128 tokens for each kind of beliefs about a recipe, 512 for ReAct, 2048 for a whole plan.
    decoding=Decoding(temperature=0.0, max_tokens=512, caps={"beliefs": 128}),
    prompts=f"{HERE}:prompts",
    headline=Headline({"constrained": "SxE*", "unconstrained": "SxE*"}, HERE, f"{HERE}.metrics.score:best"),
    encoding=f"{HERE}.arrays.encoding:encoding",
    batch=f"{HERE}.arrays.tables:batch",
    method_options={
        # One answer with thoughts and decision, after an example of play (appendix C.4, Tables 13 and 14).
        # The world reads all of it: under the released rules actions among the thoughts are carried out.
        "react": {"calls": "together", "reads": "whole", "examples": "1"},
        "reflexion": {"calls": "together", "reads": "whole"},
        "plan-and-solve": {"examples": "1"},
    },
    parts=f"{HERE}.game.scenarios:parts",
    picks={
        "Cobbler+Pancakes@lags=off": "two recipes, as early as you can",
        "Cobbler+Pancakes": "the same, where steps must not wait too long",
    },
)
