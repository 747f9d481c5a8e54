"""What is changed on a server is put back at whatever moment play is stopped."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from farms import act, build, farm, good, until
from serving import CLOCK, Playing, Server

from backburner.live.bots import PUT_BACK, changed_in, put_back
from backburner.live.install import Setup
from backburner.live.messages import LiveError, Prepared, Restore, Restored, Wait, Waited
from backburner.live.own_server import SECONDS
from backburner.live.worker import Worker


def kinds(server: Server) -> set[str]:
    return {mob["name"] for mob in server.look()["mobs"]}


def test_what_nobody_puts_back_is_not_in_the_way_of_the_next_test(server: Server, play: Playing) -> None:
    """Players come in anywhere on the ground, and a farm must stand wherever they do."""

    async def playing(worker: Worker) -> None:
        wanted = await build(worker)
        assert sorted(map(tuple, server.look()["blocks"])) == sorted(block.at for block in wanted.blocks)
        server.begin(operators=())  # so that the worker may put nothing back
        assert server.look()["blocks"] == []

    play(server, playing)
    assert server.look()["blocks"] == []


async def assert_clean(worker: Worker, server: Server) -> None:
    """Also a little later."""
    await worker.ask(Wait(ticks=60), Waited, SECONDS)
    seen = server.look()
    assert seen["mobs"] == [] and seen["containers"] == []


def test_what_was_killed_does_not_stand_again_once_all_is_put_back(server: Server, play: Playing) -> None:
    """One bot's call has ended, the other's has not: the step would have mobs stand again at its end."""

    async def playing(worker: Worker) -> None:
        await build(worker)
        acting = asyncio.create_task(act(worker, "killMob(alex, chicken)", "killMob(steve, sheep)", before=0))
        await until(lambda: kinds(server) == {"sheep"})
        assert await worker.ask(Restore(), Restored, SECONDS) == Restored(())
        await asyncio.gather(acting, return_exceptions=True)
        await assert_clean(worker, server)

    play(server, playing)


def test_a_step_that_has_not_begun_does_not_begin_any_more(server: Server, play: Playing) -> None:
    async def playing(worker: Worker) -> None:
        wanted = await build(worker)
        acting = asyncio.create_task(act(worker, "goto(alex, chest)", before=100))
        await asyncio.sleep(0.1)
        assert await worker.ask(Restore(), Restored, SECONDS) == Restored(())
        (done,) = await asyncio.gather(acting, return_exceptions=True)
        assert isinstance(done, Exception) and "the episode is over" in str(done)
        assert wanted

    play(server, playing)


def test_a_farm_that_is_being_built_is_put_back_whole(server: Server, play: Playing) -> None:
    async def playing(worker: Worker) -> None:
        wanted = await farm(worker, dry_run=False)
        building = asyncio.create_task(worker.ask(wanted, Prepared, SECONDS))
        await asyncio.sleep(0)  # the request is out
        assert await worker.ask(Restore(), Restored, SECONDS) == Restored(())
        await asyncio.gather(building, return_exceptions=True)
        await assert_clean(worker, server)

    play(server, playing)


def test_whoever_leaves_puts_back_first(server: Server, play: Playing) -> None:
    async def playing(worker: Worker) -> None:
        await build(worker)

    play(server, playing)
    seen = server.look()
    assert seen["mobs"] == [] and seen["containers"] == [] and seen["players"] == {}


# --- the list of what is changed, in a file -----------------------------------------------------------------


def is_clean(server: Server) -> bool:
    seen = server.look()
    return not (seen["mobs"] or seen["containers"] or seen["players"])


def test_what_is_changed_stands_in_a_file_until_it_is_put_back(
    server: Server, play: Playing, tmp_path: Path
) -> None:
    file = tmp_path / "lists" / "changed.json"

    async def playing(worker: Worker) -> None:
        wanted = await farm(worker, dry_run=False, file=str(file))
        changes = (await worker.ask(wanted, Prepared, SECONDS)).changes
        listed = changed_in(file)
        assert listed.changes == changes and (listed.host, listed.port) == ("127.0.0.1", server.port)
        assert listed.bots == ("alex", "steve")
        assert await worker.ask(Restore(), Restored, SECONDS) == Restored(())
        assert not file.exists()

    play(server, playing)


def test_where_no_list_can_be_written_nothing_is_changed(
    server: Server, play: Playing, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")

    async def playing(worker: Worker) -> None:
        wanted = await farm(worker, dry_run=False, file=str(tmp_path / "file" / "changed.json"))
        with pytest.raises(LiveError, match=r"what is changed cannot be listed in .*/changed.json \(E"):
            await worker.ask(wanted, Prepared, SECONDS)
        assert not server.look()["mobs"] and not server.look()["containers"]

    play(server, playing)


BACKBURNER = (sys.executable, "-m", "backburner")


def playing_in(folder: Path, server: Server, setup: Setup) -> subprocess.Popen[str]:
    """The command, after its first step."""
    at = f"127.0.0.1:{server.port}@agreed=yes,clock={CLOCK:g},node_folder={setup.folder}"
    asked = ["live", "minecraft/level_1", "--server", at, "--out", str(folder / "live.jsonl")]
    playing = subprocess.Popen(
        [sys.executable, "-m", "backburner", *asked],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert playing.stdout and playing.stdout.readline().startswith("1: ")
    return playing


def test_whoever_is_killed_leaves_a_worker_that_puts_all_back_on_a_fast_clock_too(
    server: Server, setup: Setup, tmp_path: Path
) -> None:
    playing = playing_in(tmp_path, server, setup)
    file = file_of(tmp_path, server)
    assert file.exists() and server.look()["containers"]
    playing.kill()
    _, told = playing.communicate()
    assert f"is listed in {file}" in told
    asyncio.run(until(lambda: is_clean(server)))
    asyncio.run(until(lambda: not file.exists()))


def file_of(folder: Path, server: Server) -> Path:
    return folder / f"changed-on-127.0.0.1-{server.port}.json"


def test_where_all_are_killed_the_list_puts_all_back(server: Server, setup: Setup, tmp_path: Path) -> None:
    playing = playing_in(tmp_path, server, setup)
    (worker,) = Path(f"/proc/{playing.pid}/task/{playing.pid}/children").read_text().split()
    os.kill(playing.pid, signal.SIGSTOP)  # so that nobody notices
    os.kill(int(worker), signal.SIGKILL)
    playing.kill()
    playing.communicate()
    asyncio.run(until(lambda: not server.look()["players"]))
    assert len(server.look()["mobs"]) == 2
    file = file_of(tmp_path, server)

    keys = f"node_folder={setup.folder},clock={CLOCK:g}"
    again = ["minecraft/level_1", "--server", f"127.0.0.1:{server.port}@agreed=yes,{keys}"]
    record = ["--out", str(tmp_path / "again.jsonl")]
    refused = subprocess.run([*BACKBURNER, "live", *again, *record], capture_output=True, text=True)
    assert refused.returncode == 2 and f"`backburner live --restore {file}` does" in refused.stderr
    assert len(server.look()["mobs"]) == 2

    restore = [*BACKBURNER, "live", "--restore", f"{file}@{keys}"]
    done = subprocess.run(restore, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, f"{PUT_BACK}\n")
    assert is_clean(server) and not file.exists()


def test_what_cannot_be_put_back_stays_in_the_list(server: Server, setup: Setup, tmp_path: Path) -> None:
    playing = playing_in(tmp_path, server, setup)
    file, told = file_of(tmp_path, server), list[str]()
    listed = file.read_text()
    playing.terminate()
    playing.communicate()
    assert is_clean(server) and not file.exists()
    file.write_text(listed.replace('"was":"air","becomes":"chest"', '"was":"obsidian","becomes":"chest"'))
    server.begin(operators=())
    assert not asyncio.run(put_back(setup, file, CLOCK, told.append))
    assert told[0].startswith("could not be put back: block") and told[0].endswith(": obsidian -> chest")
    assert [change.was for change in changed_in(file).changes] == ["obsidian"]
    server.begin()
    assert asyncio.run(put_back(setup, file, CLOCK, told.append))
    assert told[-1] == PUT_BACK and not file.exists()


def test_what_bots_cannot_be_rid_of_is_told(server: Server, play: Playing, tmp_path: Path) -> None:
    file = tmp_path / "changed.json"

    async def playing(worker: Worker) -> None:
        await build(worker, file=str(file))
        server.tell("give", name="steve", item="feather", count=3)
        await worker.ask(Wait(ticks=5), Waited, SECONDS)
        server.begin(operators=())  # nobody may take it away
        put = await worker.ask(Restore(), Restored, SECONDS)
        assert put.carried == {"steve": {"feather": 3}}
        assert ("move", "steve") in [(change.kind, change.bot) for change in changed_in(file).changes]

    play(server, playing)


def test_hands_are_emptied_after_a_click_that_was_refused(server: Server, play: Playing) -> None:
    """A feather is no fuel, which the server says at the click."""

    async def playing(worker: Worker) -> None:
        await build(worker)
        server.tell("give", name="alex", item="feather", count=3)
        await worker.ask(Wait(ticks=5), Waited, SECONDS)
        good(await act(worker, "goto(alex, furnace)"))
        assert (await act(worker, "putFuelFurnace(alex, feather)")).calls[0].code == "no_fuel"
        assert await worker.ask(Restore(), Restored, SECONDS) == Restored(())
        await worker.ask(Wait(ticks=5), Waited, SECONDS)
        assert server.look()["players"]["alex"]["items"] == {}

    play(server, playing)
