"""What the desk has to offer, by name."""

from backburner.kernel.pack import LATENCY, Decoding, Entry, Pack

HERE = "backburner.worlds.desk"

PACK = Pack(
    name="desk",
    title="The desk: tools that answer later",
    version=1,
    catalogue=f"{HERE}.game:catalogue",
    scoring=f"{HERE}.metrics.score:scoring",
    assessment=f"{HERE}.metrics.windows:assessment",
    annotations=f"{HERE}.metrics.labels:ANNOTATIONS",
    oracle="backburner.scheduling.oracle:ORACLE",
    oracle_arguments=(LATENCY,),
    generator=f"{HERE}.oracle.generator:GENERATOR",
    demonstrator=f"{HERE}.agents.scripts:Eager",
    stand_in=f"{HERE}.agents.scripts:Eager",
    surveyed=f"{HERE}:made+plain+standard+wide+hidden+storm",
    shipped_plan=f"{HERE}.agents.oracle:shipped_plan",
    agents={
        "sequential": Entry(f"{HERE}.agents.scripts:Sequential", "does one job at a time"),
        "polling": Entry(f"{HERE}.agents.scripts:Polling", "asks job after job how it stands"),
        "eager": Entry(f"{HERE}.agents.scripts:Eager", "begins all it can, and waits for the next notice"),
        "critical": Entry(f"{HERE}.agents.scripts:Critical", "the same, with the longest way first"),
        "greedy": Entry(f"{HERE}.agents.scripts:Greedy", "another name of critical"),
        "rolling": Entry(
            f"{HERE}.agents.rolling:Rolling", "solves again at each call, by the times that are told"
        ),
        "oracle": Entry(
            f"{HERE}.agents.oracle:oracle", "plays the proven plan, which nobody at a desk can know"
        ),
    },
    decoding=Decoding(temperature=0.0, max_tokens=512),
    picks={
        "made/counter": "a short day: two exports, a build that may fail, somebody at the door",
        "made/counter@asks=always": "the same by the clock on the wall, a minute in two seconds",
    },
)
