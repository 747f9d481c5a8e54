"""A simulated participant without a browser: over the WebSockets that a page uses."""

from __future__ import annotations

import asyncio
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from backburner.kernel.errors import Refused
from backburner.serve import protocol
from backburner.study import pages
from backburner.study.conduct import Conduct
from backburner.study.pilot.persona import Persona


async def take_part(port: int, conduct: Conduct, persona: Persona) -> str:
    """Go through the whole study; how it ended. Raises ``Refused`` where the server will not go on."""
    name, parameter = conduct.study.name, conduct.study.recruitment.participant
    async with connect(f"ws://127.0.0.1:{port}/study/{name}/ws", max_size=None) as socket:
        await _say(socket, pages.Arrive({parameter: persona.id}, "", conduct.study.language))
        done: tuple[int, str] = (-1, "")
        async for text in socket:
            message = pages.told(text)
            if isinstance(message, pages.TurnedAway | protocol.Closed):
                raise Refused(message.why)
            if isinstance(message, pages.StageTold):
                if message.problems:
                    raise Refused(f"stage {message.name}: {message.problems}")
                if message.stage == "end":
                    return message.name
                if (message.position, message.stage) != done:  # told again, as others come and go
                    done = (message.position, message.stage)
                    await _do(socket, port, conduct, persona, message)
    raise Refused("the server has closed the connection")


async def _do(
    socket: ClientConnection, port: int, conduct: Conduct, persona: Persona, stage: pages.StageTold
) -> None:
    match stage.stage:
        case "text":
            await asyncio.sleep(stage.least_seconds)
            await _say(socket, pages.Send(stage.position))
        case "consent":
            ticked = {str(box): "yes" for box in range(len(stage.boxes))}
            await _say(socket, pages.Send(stage.position, {**ticked}, agreed=True))
        case "form":
            one = conduct.cohort.by_recruited(persona.id)
            await _say(socket, pages.Send(stage.position, {} if one is None else persona.answers(one)))
        case "play" if stage.game is not None:
            await _play(port, stage.game.token, persona)
        case _:
            pass


async def _play(port: int, token: str, persona: Persona) -> None:
    """Play a game to its end, an option for each turn."""
    async with connect(f"ws://127.0.0.1:{port}/ws", max_size=None) as socket:
        await _say(socket, protocol.Hello(token))
        id = 0
        async for text in socket:
            match protocol.told(text):
                case protocol.Welcome(last_id=last):
                    id = last
                case protocol.Turn() as turn:
                    id += 1
                    await _say(socket, _move(id, turn, persona))
                case protocol.Told(status="confirm", id=asked):
                    await _say(socket, protocol.Confirm(asked))
                case protocol.Over() | protocol.Closed():
                    return


def _move(id: int, turn: protocol.Turn, persona: Persona) -> protocol.Move:
    if turn.options:
        return protocol.Move(id, turn.number, option=persona.choose([one.passes for one in turn.options]))
    lines = [one.line for one in turn.suggestions] or ["wait"]
    return protocol.Move(id, turn.number, line=persona.draw.choice(lines))


async def _say(socket: ClientConnection, message: Any) -> None:
    await socket.send(protocol.written(message))
