"""What the ferry has to offer: a catalogue. Oracle, scoring and steps to go are the general ones."""

from backburner.kernel.pack import Entry, Headline, Pack

PACK = Pack(
    name="ferry",
    title="The ferry, an example of a world that has everything general",
    version=1,
    catalogue="ferry.world:CATALOGUE",
    scoring="backburner.kernel.proven:SCORING",
    headline=Headline({"all": "reached"}, "ferry"),
    steps_to_go=Entry("backburner.kernel.proven:to_go", "how many minutes an unfinished day still lacked"),
)
