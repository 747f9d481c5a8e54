"""Foreign files have one reader: ``kernel/files.py``, which bounds what it reads. Everything else in the
package that opens or decodes something is listed here with the reason why it may, and nothing else does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import backburner

ROOT = Path(backburner.__file__).parent

READERS = {"fdopen", "open", "read_bytes", "read_text"}  # of files
DECODERS = {"decode", "loads", "literal_eval", "reader", "DictReader", "ParquetFile", "memmap", "fromfile"}
LOADERS = {f"{module}.load" for module in ("json", "tomllib", "np", "numpy", "torch", "pickle", "marshal")}
NAMES = {"open", "ZipFile", "read_eval_log_samples", "urlopen", "literal_eval"}
"""What reads, or makes values of what was read: attributes by their last name, and names."""

OWN_TEXT = {"encode", "b64encode", "urlsafe_b64encode", "canonical_json", "format", "encode_line", "compress"}
"""What was just written here may be decoded to a text."""

SHIPPED = {"files", "resources"}
"""``importlib.resources``: what ships with the package."""


def reads(file: Path) -> Iterator[str]:
    """Everything in a module that reads, its own data aside: what is called, and every decoder."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Call) and _reads(node.func):
            yield ast.unparse(node.func)
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value).rpartition("(")[0].endswith(
            "Decoder"
        ):
            yield ast.unparse(node)


def _reads(called: ast.expr) -> bool:
    if isinstance(called, ast.Attribute):
        known = called.attr in READERS | DECODERS or ast.unparse(called) in LOADERS
        return known and not _is_own(called.value)
    return isinstance(called, ast.Name) and called.id in NAMES


def _is_own(value: ast.expr) -> bool:
    last = value
    while isinstance(last, ast.Attribute | ast.Call):
        last = last.func if isinstance(last, ast.Call) else last.value
    called = ast.unparse(value.func).rpartition(".")[2] if isinstance(value, ast.Call) else ""
    return called in OWN_TEXT or (isinstance(last, ast.Name) and last.id in SHIPPED)


ALLOWED = {
    "the one reader, and what it bounds": """
        kernel/files.py content.decode
        kernel/files.py csv.reader
        kernel/files.py msgspec.json.decode
        kernel/files.py path.read_bytes
        kernel/bounds.py ZipFile
        kernel/bounds.py archive.open
        kernel/bounds.py source.open
        kernel/bounds.py target.open
        inspect/samples.py read_eval_log_samples
        study/files.py tomllib.loads
        study/analysis/data.py parquet.ParquetFile
        worlds/collab_overcooked/game/scenario_files.py ast.literal_eval
    """,
    "a line of a record, whose size kernel/chain.py has bounded": """
        evaluation/submissions/originality.py msgspec.json.Decoder(Receipt).decode
        kernel/chain.py json.loads
        kernel/chain.py msgspec.json.Decoder().decode
        kernel/chain.py part.decode
        kernel/episode.py msgspec.json.Decoder(Ending).decode
        kernel/episode.py msgspec.json.Decoder(Header).decode
        kernel/episode.py msgspec.json.Decoder(Record).decode
        kernel/episode.py msgspec.json.Decoder(_Format).decode
        kernel/episode.py path.open
    """,
    "bytes that were read with a bound, of types that hold no more than was read": """
        kernel/tools.py json.loads
        arrays/network.py msgspec.json.decode
        cli/listening.py read_regular(file, 1000).decode
        evaluation/submissions/hosting.py read_regular(file, 1024).decode
        evaluation/running/calls.py _decoder.decode
        evaluation/labels/label_files.py msgspec.json.Decoder(Said).decode
        study/journal.py msgspec.json.decode
        study/participants.py msgspec.json.decode
    """,
    "opened to be written to, locked, or finished by who wrote it": """
        evaluation/running/calls.py path.open
        evaluation/labels/label_files.py path.open
        kernel/episode.py self.part.open
        kernel/files.py os.fdopen
        kernel/files.py os.open
        kernel/files.py part.open
        kernel/files.py part.read_bytes
        kernel/files.py path.open
        kernel/oracle.py self.path.open
        study/journal.py (self.folder / 'lock').open
        study/journal.py file.open
        training/export/dataset.py (place / 'lock').open
    """,
    "what this command, or a process that it started, has just written": """
        agents/programs.py file.open
        cli/live_demo.py record_file(folder, game.id).read_bytes
        cluster/head.py (out / path).read_bytes
        cluster/worker.py file.read_bytes
        cluster/worker.py path.read_bytes
        evaluation/transcripts/page.py file.read_bytes
        live/own_server.py json.loads
        live/worker.py msgspec.json.decode
        live/worker.py part.decode
        serve/workers.py msgspec.msgpack.Decoder(Response).decode
        serve/store.py msgspec.json.Decoder(GamePlan).decode
        serve/store.py msgspec.json.Decoder(Given).decode
        serve/store.py msgspec.json.Decoder(Wanted).decode
        serve/workers.py _decoder.decode
        serve/workers.py msgspec.json.decode
        serve/workers.py os.fdopen
        training/export/dataset.py file.open
        training/export/dataset.py msgspec.json.decode
        training/export/tables.py msgspec.json.decode
        training/learner/train.py msgspec.json.decode
    """,
    "a value of ours, through JSON and back": """
        agents/models/solver_code.py model.decode
        agents/own.py msgspec.json.decode
        evaluation/running/jobs.py msgspec.json.decode
        inspect/samples.py b''.join(lines).decode
        inspect/tasks.py line.decode
        kernel/conformance/menus.py decision.decode
        kernel/conformance/menus.py msgspec.json.decode
        kernel/conformance/silence.py msgspec.json.decode
        kernel/conformance/stories.py msgspec.json.decode
        kernel/conformance/texts.py msgspec.json.decode
        kernel/conformance/walk.py msgspec.json.decode
        kernel/values.py msgspec.json.decode
        serve/protocol.py _encode(message).decode
    """,
    "no file: an answer, a request or an argument, bounded by who received it": """
        agents/models/answers.py _decoder.decode
        agents/models/answers.py _errors.decode
        agents/models/answers.py body.decode
        agents/models/answers.py msgspec.json.decode
        agents/models/answers.py bytes(raw).decode
        agents/models/answers.py bytes(given).decode
        agents/models/answers.py body[:2000].decode
        agents/models/formalisation.py msgspec.json.decode
        agents/models/solver_code.py answer.decode
        agents/models/solver_code.py msgspec.json.decode
        agents/models/methods/agile.py spelling[:n_bytes].decode
        agents/programs.py tail.decode
        formats/decisions.py content.decode
        formats/engines.py content.decode
        formats/plans.py content.decode
        agents/models/answers.py json.loads
        agents/models/client.py json.loads
        agents/models/openai_client.py msgspec.json.decode
        evaluation/running/calls.py keeper.open
        inspect/client.py json.loads
        inspect/tasks.py json.decode
        planning/planner.py self._space.decode
        kernel/doors.py name.decode
        kernel/doors.py value.decode
        serve/app.py msgspec.json.Decoder(Again).decode
        serve/protocol.py msgspec.json.Decoder(FromPage).decode
        serve/protocol.py msgspec.json.Decoder(FromServer).decode
        serve/protocol.py msgspec.json.Decoder(GamePlan).decode
        study/pages.py msgspec.json.Decoder(FromPage).decode
        study/pages.py msgspec.json.Decoder(FromServer).decode
        study/supervision.py msgspec.json.Decoder(FromPage).decode
        worlds/minecraft/game/server.py _decoder.decode
    """,
    "the package's own data and source, and what the system tells of itself": """
        cli/live_demo.py webbrowser.open
        training/learner/train.py Path('/proc/cpuinfo').read_text
        agents/models/prompts.py (folder / VERSION).read_text
        agents/models/prompts.py entry.read_text
        arrays/jit.py file.read_bytes
        kernel/headline.py msgspec.json.decode
        serve/app.py file.read_bytes
        study/words.py tomllib.loads
    """,
}
"""Why a call may stand where it stands, and which do. Whoever adds one says why here, or uses the reader."""


def test_everything_else_that_reads_is_listed_with_its_reason() -> None:
    listed = [line.strip() for lines in ALLOWED.values() for line in lines.strip().splitlines()]
    assert len(listed) == len(set(listed))
    found = {
        f"{file.relative_to(ROOT).as_posix()} {call}" for file in ROOT.rglob("*.py") for call in reads(file)
    }
    assert found - set(listed) == set(), "read it with kernel/files.py, or say here why not"
    assert set(listed) - found == set(), "these are gone"


def test_a_new_one_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "new.py"
    file.write_text(
        "open(a)\nPath(a).read_text()\nmsgspec.json.decode(x)\ndecoder = Decoder().decode\ntomllib.load(f)\n"
        "files(p).joinpath('a').read_bytes()\njson.encode(x).decode()\nread_text(a)\n"
    )
    assert set(reads(file)) == {
        *("open", "Path(a).read_text", "msgspec.json.decode", "Decoder().decode", "tomllib.load")
    }
