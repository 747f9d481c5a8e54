"""Tools of a conversation over the Model Context Protocol, as a player of verifiers is given them."""

from __future__ import annotations

import asyncio
import json

import pytest

pytest.importorskip("mcp_types")

from mcp.client.client import Client

from backburner.agents.models.toolbox import Received
from backburner.training.conversation import Conversation, Setting
from backburner.training.served_tools import served


def test_a_player_calls_them_at_an_address_that_is_closed_afterwards() -> None:
    conversation = Conversation("timearena/cooking1", 0, Setting(method="calls"))

    async def call(made: Received) -> str:
        return conversation.reply("", calls=[made]).text

    async def playing() -> str:
        async with served(conversation.tools, call) as url:
            async with Client(url) as client:
                listed = (await client.list_tools()).tools
                assert [
                    {"name": each.name, "description": each.description, "parameters": each.input_schema}
                    for each in listed
                ] == [each["function"] for each in conversation.tools]
                for name, ok in (("wait", True), ("fly", False)):
                    result = await client.call_tool(name, {})
                    first, _, rest = result.content[0].text.partition("\n")
                    assert json.loads(first)["ok"] is ok and rest.endswith("Your action?")
            return url

    url = asyncio.run(playing())
    host, port = url.split("/")[2].split(":")
    with pytest.raises(OSError):
        asyncio.run(asyncio.open_connection(host, int(port)))
    assert conversation.told.numbers["minutes"] == 2
