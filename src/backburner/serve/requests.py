"""What a page asks of its game, and whether it may: the host, or whoever has the seat.

Whatever is asked is answered, with what came of it or why it was refused.
"""

from __future__ import annotations

from backburner.kernel.errors import BackburnerError, Refused
from backburner.serve.audience import Page
from backburner.serve.game import Game
from backburner.serve.outlets import Outlet
from backburner.serve.protocol import (
    Back,
    Begin,
    Confirm,
    End,
    FromPage,
    FromServer,
    Hello,
    Leave,
    LinkTold,
    Move,
    Ping,
    Pong,
    Renew,
    Replace,
    Told,
)


async def take(game: Game, outlet: Outlet, message: FromPage) -> None:
    """Do what the page of a connection asks for, and send it what comes of that. Never raises
    ``BackburnerError``."""
    page = game.page_of(outlet)
    if page is None:
        return
    try:
        answer = await _answer(game, page, message)
    except BackburnerError as error:
        answer = Told(getattr(message, "id", 0), "refused", str(error))
    if answer is not None:
        outlet.send(answer)


async def _answer(game: Game, page: Page, message: FromPage) -> FromServer | None:
    if isinstance(message, Ping):
        return Pong(message.id)
    if isinstance(message, Replace | Renew | Begin | End):
        if not page.hosts:
            raise Refused("only the host may do that")
        return await _for_the_host(game, message)
    policy = game.seats.get(page.link.seat)
    if isinstance(message, Hello) or policy is None:
        raise Refused("nobody plays from this page")
    if policy.outlet is not page.outlet:
        raise Refused("the seat was opened in another window")
    match message:
        case Move():
            return policy.move(message) if game.playing else Told(message.id, "late", "nobody is asked now")
        case Confirm():
            return policy.confirm(message)
        case Leave() | Back():
            game.leave(policy, away=isinstance(message, Leave))
    return None


async def _for_the_host(game: Game, message: Replace | Renew | Begin | End) -> FromServer | None:
    match message:
        case Begin():
            game.begin()
        case End():
            game.end()
        case Renew(seat=seat):
            return LinkTold(seat, game.renew(seat))
        case Replace(seat=seat, player=player):
            if token := await game.replace(seat, player):
                return LinkTold(seat, token)
    return None
