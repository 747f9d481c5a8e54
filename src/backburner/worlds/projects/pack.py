"""What projects have to offer, by name."""

from backburner.kernel.pack import LATENCY, Decoding, Pack

HERE = "backburner.worlds.projects"

PACK = Pack(
    name="projects",
    title="Projects: any scheduling problem, played",
    version=1,
    catalogue=f"{HERE}.game:catalogue",
    oracle="backburner.scheduling.oracle:ORACLE",
    oracle_arguments=(LATENCY,),
    plays_problems=f"{HERE}.game.scenario_files:file_of",
    decoding=Decoding(temperature=0.0, max_tokens=512),
    picks={"bakery": "two ovens' worth of bread, one oven", "ft06": "a job shop of six machines"},
)
