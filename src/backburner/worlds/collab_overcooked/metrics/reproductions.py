"""The tables and figures of Collab-Overcooked's article that can be made again."""

from __future__ import annotations

from backburner.kernel.reproduction import Play, Reproduction

COOKED = (Play(("collab_overcooked/all",), ("cook@reflection=off",), seeds=10),)
PROBED = (
    "its situations are chosen by hand; `backburner probe` judges the decisions of a record in the same way"
)

REPRODUCTIONS = (
    Reproduction(
        name="figure-2",
        shows="shortest times and collaborative actions by level",
        statistics="collab_overcooked/all",
    ),
    Reproduction(
        name="table-3",
        shows="collaborative actions by level",
        statistics="collab_overcooked/all",
    ),
    Reproduction(
        name="section-5.3",
        shows="success, TES, PC, IC and RC by model and level",
        plays=COOKED,
        scores=True,
        printed=False,
        differs="prompts are ours; the article draws its results",
    ),
    Reproduction(
        name="figure-3",
        shows="initiating and responding to collaboration by level",
        plays=COOKED,
        figures=("figure-3",),
        printed=False,
        differs="the article draws its results",
    ),
    Reproduction(
        name="figure-4",
        shows="people and models by level",
        missing="it takes people; reports draw it from what was played with `backburner play`",
    ),
    Reproduction(name="figure-5", shows="Experiments A to C", missing=PROBED),
    Reproduction(
        name="section-c.4",
        shows="outcomes of collaborations",
        plays=COOKED,
        sections=("Outcomes of collaborations", "What requests and answers add"),
        figures=("figure-5",),
        printed=False,
    ),
    Reproduction(
        name="figure-8",
        shows="success over gamma, the time limit as a multiple of the least time",
        plays=COOKED,
        sections=("Success over gamma, least steps", "Success over gamma, recorded steps"),
        figures=("figure-8",),
        printed=False,
        differs="up to the limit that was played",
    ),
    Reproduction(
        name="figure-9",
        shows="what was wrong with requests",
        plays=COOKED,
        sections=("Failed requests",),
        figures=("figure-9",),
        printed=False,
        differs="over all requests of play; the article's are of Experiment A",
    ),
)
