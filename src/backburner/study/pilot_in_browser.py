"""A simulated participant in a real browser: reads, ticks, chooses and clicks as people do."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlencode

from playwright.async_api import Browser, Page, async_playwright
from playwright.async_api import Error as BrowserError

from backburner.kernel.errors import Refused
from backburner.study.entries import Answer
from backburner.study.personas import Persona

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

STUCK_SECONDS = 300.0
"""So long a page may stay as it is while something is to be done."""

LOST_SECONDS, AGAIN_SECONDS = 10.0, 5.0
"""So long somebody looks at an empty page before they load it again (twice as long each time: the machine may
be busy), and waits for what follows before they do it again: what was sent while nobody served is lost."""

Asked = Callable[[Persona, int], dict[str, Answer] | None]
"""What somebody answers to the form at a position; ``None`` where they are not there (any more)."""


def program() -> str:
    """The browser that is installed; raises ``Refused``."""
    for name in PROGRAMS:
        if (found := shutil.which(name)) is not None:
            return found
    raise Refused(f"no browser is installed ({', '.join(PROGRAMS)}); install one, or say --without-browser")


@asynccontextmanager
async def browser() -> AsyncIterator[Browser]:
    """The browser, for as long as it is needed."""
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=program(), args=["--no-sandbox"])
        try:
            yield started
        finally:
            await started.close()


async def take_part(
    port: int, persona: Persona, asked: Asked, browser: Browser, pictures: Path | None = None
) -> str:
    """Go through the whole study; how it ended. ``pictures``: a folder for one of each stage."""
    context = await browser.new_context(viewport={"width": 1100, "height": 800}, locale="en-GB")
    page = await context.new_page()
    query = urlencode({persona.study.recruitment.participant: persona.id})
    try:
        address = f"http://127.0.0.1:{port}/study/{persona.study.name}?{query}"
        return await _go_through(page, address, persona, asked, pictures)
    finally:
        await context.close()


async def _go_through(page: Page, address: str, persona: Persona, asked: Asked, pictures: Path | None) -> str:
    """Do what each page asks for, and again where nothing follows; load it again where there is none."""
    place, why, since, did, seen = "", "", time.monotonic(), 0.0, set()
    patience = LOST_SECONDS
    with suppress(BrowserError):
        await page.goto(address)
    while (now := time.monotonic()) - since < STUCK_SECONDS:
        page.set_default_timeout(patience * 1000)
        try:
            position, stage = await where(page)
            patience = LOST_SECONDS
            if pictures is not None and stage not in seen:
                seen.add(stage)
                await page.screenshot(path=pictures / f"{persona.id}-{stage}.png", full_page=True)
            if stage == "end":
                return "complete" if await page.locator(".prose").count() else "ended"
            if f"{position} {stage}" != place:
                place, since, did = f"{position} {stage}", now, 0.0
            if stage in ("wait", "play"):
                since = now
            if stage == "play" or now - did > AGAIN_SECONDS:
                did = now if await _do(page, int(position), stage, asked, persona) else did
        except BrowserError as error:
            why, patience = f" ({str(error).splitlines()[0]})", 2 * patience
            with suppress(BrowserError):
                await page.goto(address)
        await asyncio.sleep(0.02)
    raise Refused(f"{persona.id}: nothing follows stage {place}{why}")


async def where(page: Page) -> tuple[str, str]:
    """The position and the kind of the page's stage, in one look: between two the page may become another."""
    main = page.locator("main[data-stage]")
    position, stage = await main.evaluate("main => [main.dataset.position, main.dataset.stage]")
    return str(position), str(stage)


async def _do(page: Page, position: int, stage: str, asked: Asked, persona: Persona) -> bool:
    """Do what a stage asks for; whether there was anything to be done."""
    match stage:
        case "text":
            onward = page.locator(".go button.main:enabled")
            if not await onward.count():
                return False
            await onward.click()
        case "consent":
            for box in await page.locator('main input[type="checkbox"]').all():
                await box.check()
            await page.locator('.go button[type="submit"]').click()
        case "form":
            if (answers := asked(persona, position)) is None:
                return False
            for name, answer in answers.items():
                await _fill(page, name, answer)
            await page.locator('.go button[type="submit"]').click()
        case "play":
            return await _move(page, persona)
        case _:
            return False
    return True


async def _fill(page: Page, name: str, answer: Answer) -> None:
    field = page.locator(f'[name="{name}"]')
    if isinstance(answer, tuple):
        for value in answer:
            await page.locator(f'[name="{name}"][value="{value}"]').check()
    elif await field.first.get_attribute("type") == "radio":
        told = f"{answer:g}" if isinstance(answer, float | int) else answer
        await page.locator(f'[name="{name}"][value="{told}"]').check()
    elif answer is not None:
        await field.fill(f"{answer:g}" if isinstance(answer, float) else str(answer))


async def _move(page: Page, persona: Persona) -> bool:
    """Click one of the moves that are offered, if it is this participant's turn."""
    onward = page.locator(".study-game .go button.main:enabled, .study-game .get-ready button.main:enabled")
    if await onward.count():  # the clock waits for who is ready, or the game is over, and its lesson is shown
        await onward.click()
        return True
    offered = page.locator('.moves button.option[aria-disabled="false"]')
    number = await offered.count()
    if not number:
        return False
    try:
        await offered.nth(persona.draw.randrange(number)).click(timeout=1000)
        send = page.locator(".moves .plan button.main:enabled")
        if await send.count():
            await send.click(timeout=1000)
    except BrowserError:  # the move before was just carried out, and the list is another
        return False
    return True
