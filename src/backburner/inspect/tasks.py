"""Every installed world as a task of Inspect, called after the world, and the one solver.

The solver plays a sample's episode with any agent, and keeps the record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import transcript
from inspect_ai.model import Model, get_model, model_roles
from inspect_ai.solver import Generate, Solver, TaskState, solver
from msgspec import DecodeError, ValidationError, convert, json, structs

from backburner.agents.attempts import play_attempts
from backburner.agents.latency import clock_for
from backburner.agents.models.client import Choices, ModelClient
from backburner.agents.models.policy import SLOW
from backburner.agents.models.profiles import read_profile
from backburner.agents.roster import AnyWorld, check_spec, make_policies, names_by_seat
from backburner.agents.spec import AgentSpec, Endpoint, is_method
from backburner.evaluation.running.calls import KeptClient
from backburner.evaluation.running.clocks import NO_CLOCK, clocked, speeds
from backburner.evaluation.running.jobs import AttemptFiles, Job
from backburner.inspect.client import InspectClient, RunCalls, calls_now
from backburner.inspect.samples import Asked, keep, samples
from backburner.inspect.scoring import article
from backburner.kernel import packs, registry
from backburner.kernel.clock import Timing
from backburner.kernel.episode import Episode, Header, Lines, Record
from backburner.kernel.errors import Refused, shorten
from backburner.kernel.play import Sink
from backburner.kernel.policy import Policy
from backburner.kernel.values import Seat

# --- the solver --------------------------------------------------------------------------------------------


NO_MODEL = "none/none"


@solver
def play(
    agent: str = "act",
    prompts: str = "",
    temperature: float | None = None,
    own_temperature: bool = False,
    max_tokens: int | None = None,
    sampling_seed: int | None = None,
    out: str = "",
    top_p: float | None = None,
    stop: tuple[str, ...] = (),
    reasoning_effort: str | None = None,
    extra_body: str = "",
    clock: str = "",
    speed: str = "",
    pace: str = "",
) -> Solver:
    """Play a sample's episode with an agent by its name: a method, ``greedy``, a team, ``mine:MyAgent`` ...

    Models are the one under evaluation, and for a seat with a model role of its name that one. They write
    as the arguments say; otherwise as Inspect's own options (``--temperature``, ``--max-tokens``,
    ``--seed``) do; otherwise as the world's article had it. ``own_temperature`` sends no temperature,
    ``extra_body`` is a JSON object with fields that only some providers know.
    ``clock``, ``speed``, ``pace``: what thinking costs, as ``backburner run`` has it; see ``timing_of``.
    ``prompts``: a folder with wording of one's own. ``out``: a folder in which records are written as they
    come, as ``backburner run`` does, beside journals of the calls, so that no answer is asked for twice.

    Raises what ``check_spec`` raises. A call that fails ends its episode as failed, and is no error.
    """
    choices = Choices.given(
        own_temperature=own_temperature,
        temperature=temperature,
        max_tokens=max_tokens,
        seed=sampling_seed,
        top_p=top_p,
        stop=tuple(stop),
        reasoning_effort=reasoning_effort,
        extra_body=extra_body,
    )
    spec = AgentSpec(agent, prompts=prompts, decoding=choices)
    check_spec(_with(spec, NO_MODEL, NO_MODEL) if spec.needs_model else spec)
    timing = timing_of(clock, str(speed), str(pace))

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        asked = convert(state.metadata, Asked)
        world = asked.world()
        run = calls_now()
        clients = _clients(spec, world, in_run=run is not None)
        job = Job(asked.scenario, _named(spec, world), asked.seed, asked.rules, asked.limits, timing)
        if not asked.file:  # else a run of ours has made the job
            (job,) = clocked([job], [timing])
        file = asked.file or _file(job, world, state.epoch)
        if out:
            with (run or RunCalls()).kept(Path(out, file)) as journal:
                if journal is None:
                    return state
                kept = {client: KeptClient(client) for client in clients.values()}
                policies = _policies(spec, world, clients, kept.__getitem__)
                episode = await _played(state, world, policies, job, file, out)
                if not episode.failed:
                    journal.remove()  # what failed can be played on from it
        else:
            policies = _policies(spec, world, clients, lambda client: client)
            await _played(state, world, policies, job, file, out)
        for client in clients.values():
            if client.exceeded is not None:
                raise client.exceeded
        state.completed = True
        return state

    return solve


async def _played(
    state: TaskState, world: AnyWorld, policies: Mapping[Seat, Policy], job: Job, file: str, out: str
) -> Episode:
    """The episode's last attempt; the records of all stand in the sample, and in a folder if there is one."""
    attempts: list[list[bytes]] = []
    try:
        with AttemptFiles(Path(out, file)) if out else nullcontext() as files:
            *_, episode = await play_attempts(
                world,
                policies,
                job.seed,
                sink=partial(_sink, attempts, files),
                clock=clock_for(job.clock, world, policies),
            )
            if files is not None:
                files.finish()
    finally:
        keep(state.store, attempts, file)
    return episode


def timing_of(clock: str, speed: str, pace: str) -> Timing | None:
    """The clock of ``clock=tokens`` (with a speed), ``seconds``, ``profile:FILE`` or ``none``; ``None``:
    thinking takes no time. A run of ours, and whoever wants more, tells a ``Timing`` in JSON.

    Raises ``Refused`` and ``BadFile``.
    """
    where = f"clock={shorten(clock)}, speed={shorten(speed)}, pace={shorten(pace)}"
    mode, _, file = clock.partition(":")
    try:
        if clock.startswith("{"):
            return json.decode(clock, type=Timing)
        if mode in ("", "none") and not speed and not pace:
            return None
        said = {"mode": "tokens" if mode in ("", "profile") else mode, "pace": pace or "1"}
        timing = convert(said, Timing)
    except (ValidationError, DecodeError) as error:
        raise Refused(f"{where}: {error}") from None
    if mode == "profile":
        return structs.replace(timing, profile=read_profile(Path(file)))
    if (timing.mode == "tokens") != bool(speed):
        raise Refused(f"{where}: a clock that counts tokens has a speed, such as speed=80, and no other has")
    one, *others = speeds(speed) if speed else [""]
    if others:
        raise Refused(f"{where}: an evaluation has one speed")
    return None if one == NO_CLOCK else structs.replace(timing, speed=one)


def _sink(attempts: list[list[bytes]], files: AttemptFiles | None, number: int) -> Sink:
    """Where the records of an attempt go: among ``attempts``, into the transcript, into a file."""
    lines: list[bytes] = []
    chained = Lines()
    attempts.append(lines)
    write = files.sink(number) if files is not None else None

    def sink(record: Record) -> None:
        line = chained.line(record)
        lines.append(line)
        if not isinstance(record, Header):  # which is long, and stands in the store
            # As text: Inspect walks through values again and again, which costs more than the play.
            transcript().info(line.decode(), source="backburner")
        if write is not None:
            write(record)

    return sink


def _clients(spec: AgentSpec, world: AnyWorld, *, in_run: bool) -> dict[Seat, InspectClient]:
    """The models of the seats that ask one, one client for all seats of a model; as that of ``slow`` the
    second model, for an agent that asks two.

    ``in_run``: whether a call that cannot succeed stops a whole run of ours.
    Raises ``Refused`` if there is none for a seat.
    """
    asking = [seat for seat, name in names_by_seat(spec, world).items() if is_method(name)]
    models: dict[Seat, Model] = {seat: get_model(role=seat) for seat in asking}
    if missing := [seat for seat, model in models.items() if str(model) == NO_MODEL]:
        raise Refused(
            f"agent {spec.name!r} needs a model for seat {', '.join(missing)}: --model PROVIDER/NAME"
            " or --model-role SEAT=PROVIDER/NAME"
        )
    if spec.needs_clock:
        if SLOW not in model_roles():
            raise Refused(f"agent {spec.name!r} needs a second model: --model-role {SLOW}=PROVIDER/NAME")
        models[SLOW] = get_model(role=SLOW)
    made = {id(model): InspectClient(model, stops_runs=in_run) for model in models.values()}
    return {seat: made[id(model)] for seat, model in models.items()}


def _policies(
    spec: AgentSpec,
    world: AnyWorld,
    clients: Mapping[Seat, InspectClient],
    seen_as: Callable[[InspectClient], ModelClient],
) -> Mapping[Seat, Policy]:
    """The policy of each seat, with the seat's model as policies are to see it."""
    policies = {} if clients else make_policies(spec, world)
    slow = clients.get(SLOW)
    for client in dict.fromkeys(client for seat, client in clients.items() if seat != SLOW):
        team = _team(spec, world, client, seen_as, slow)
        policies |= {seat: policy for seat, policy in team.items() if clients.get(seat, client) is client}
    return policies


def _team(
    spec: AgentSpec,
    world: AnyWorld,
    client: InspectClient,
    seen_as: Callable[[InspectClient], ModelClient],
    slow: InspectClient | None,
) -> Mapping[Seat, Policy]:
    """The policies with this one model; Inspect's own options decide where the agent's say nothing."""
    settings = structs.asdict(client.told) | spec.decoding.made
    alone = structs.replace(
        _with(spec, client.name, None if slow is None else slow.name), decoding=Choices(**settings)
    )
    asked = {client.name: client} if slow is None else {slow.name: slow, client.name: client}
    return make_policies(alone, world, lambda endpoint: seen_as(asked[endpoint.model]))


def _with(spec: AgentSpec, model: str, slow: str | None) -> AgentSpec:
    """The agent with these models."""
    seats = ((SLOW, Endpoint(slow)),) if slow and spec.needs_clock else ()
    return structs.replace(spec, model=model, seats=seats)


def _named(spec: AgentSpec, world: AnyWorld) -> AgentSpec:
    """The agent as ``backburner run`` names it: with the model under evaluation and those of single seats."""
    if not spec.needs_model:
        return spec
    model = str(get_model())
    roles = model_roles()
    named = (*world.seats, SLOW) if spec.needs_clock else world.seats
    seats = tuple((seat, Endpoint(str(get_model(role=seat)))) for seat in named if seat in roles)
    return structs.replace(spec, model="" if model == NO_MODEL else model, seats=seats)


def _file(job: Job, world: AnyWorld, epoch: int) -> str:
    """The record's path in a folder of ``backburner run``; later epochs have names of their own."""
    path = job.path(Path(), world.id)
    return (path if epoch == 1 else path.with_suffix(f".epoch{epoch}{path.suffix}")).as_posix()


# --- the tasks ---------------------------------------------------------------------------------------------


def _task_of(world: str) -> Callable[..., Task]:
    @task(name=world)
    def made(
        suite: str = "quick",
        rules: str = "standard",
        limits: str = "article",
        seeds: int = 1,
        method: str = "act",
        prompts: str = "",
        temperature: float | None = None,
        own_temperature: bool = False,
        max_tokens: int | None = None,
        sampling_seed: int | None = None,
        clock: str = "",
        speed: str = "",
        pace: str = "",
    ) -> Task:
        """The scenarios of a suite (or of a scenario's path, a file, a folder), each with every seed.

        The other parameters are those of ``backburner run`` and of the solver ``play``.
        """
        scenarios = registry.expand(suite if _is_file(suite) else f"{world}/{suite}")
        if seeds < 1:
            raise Refused(f"seeds={seeds}: play each scenario at least once")
        return task_of(
            world,
            list(samples(scenarios, seeds, rules, limits)),
            play(
                method,
                prompts,
                temperature,
                own_temperature,
                max_tokens,
                sampling_seed,
                clock=clock,
                speed=str(speed),
                pace=str(pace),
            ),
        )

    return made


def task_of(world: str, episodes: list[Sample], player: Solver, **options: Any) -> Task:
    """The task of playing these episodes of a world; an error in one does not stop the others."""
    return Task(
        dataset=MemoryDataset(episodes, name=world),
        solver=player,
        scorer=article(),
        fail_on_error=False,
        version=packs.pack(world).version,
        **options,
    )


def _is_file(suite: str) -> bool:
    return suite.endswith(".json") or registry.is_folder(suite)


TASKS = {world: _task_of(world) for world in packs.names()}
