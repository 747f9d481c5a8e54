"""What projects have to offer, by name."""

from backburner.kernel.pack import LATENCY, Decoding, Entry, Pack

HERE = "backburner.worlds.projects"

PACK = Pack(
    name="projects",
    title="Projects: any scheduling problem, played",
    version=1,
    catalogue=f"{HERE}.game:catalogue",
    scoring=f"{HERE}.metrics.score:scoring",
    oracle="backburner.scheduling.oracle:ORACLE",
    oracle_arguments=(LATENCY,),
    generator=f"{HERE}.oracle.generator:GENERATOR",
    steps_to_go=Entry("backburner.kernel.proven:to_go", "how much time an unfinished project still lacked"),
    agents={"greedy": Entry(f"{HERE}.agents.greedy:Greedy", "starts what has the longest way to go")},
    plays_problems=f"{HERE}.game.scenario_files:file_of",
    decoding=Decoding(temperature=0.0, max_tokens=512),
    picks={"bakery": "bread and a cake out of one oven", "ft06": "a job shop of six machines"},
)
