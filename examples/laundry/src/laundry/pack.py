"""What the laundry has to offer, by name. Importing this imports nothing of it."""

from backburner.kernel.pack import Decoding, Entry, Headline, Pack

PACK = Pack(
    name="laundry",
    title="Laundry day, an example of a world of your own",
    version=1,
    catalogue="laundry.catalogue:CATALOGUE",
    scoring="laundry.metrics:scoring",
    assessment="laundry.metrics:assessment",
    oracle="laundry.oracle:ORACLE",
    agents={
        "greedy": Entry("laundry.agents:Greedy", "fills machines first, the longest way first"),
        "oracle": Entry("laundry.agents:oracle", "plays the proven plan"),
    },
    bounds="laundry.metrics:bounds",
    generator="laundry.generator:GENERATOR",
    steps_to_go=Entry("laundry.oracle:minutes_to_go", "how many minutes an unfinished day still lacked"),
    headline=Headline({"all": "swift"}, "laundry"),
    decoding=Decoding(temperature=0.0, max_tokens=256),
    method_options={"react": {"examples": "1"}},
)
