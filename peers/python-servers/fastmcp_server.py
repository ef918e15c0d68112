"""A small MCP server on FastMCP that asks for forms, which is all that its context can ask for.

Over stdio; with `--http` over Streamable HTTP, on a free port of loopback, whose address it prints first. FastMCP keeps the two eras apart:
a tool that asks in the middle of its work is for legacy clients, and one that asks by its result for modern ones.
"""

import json
import socket
import sys
from typing import Any

import anyio
import uvicorn
from fastmcp import Context, FastMCP
from fastmcp.tools.base import ToolResult
from mcp.types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult
from pydantic import BaseModel, Field

server: FastMCP = FastMCP("askback-fastmcp-peer", version="1.0.0")


class Profile(BaseModel):
    """Who you are."""

    name: str = Field(min_length=1, title="Name")
    agree: bool = Field(title="I agree")


def done(value: dict[str, Any]) -> ToolResult:
    return ToolResult(content=json.dumps(value), structured_content=value)


@server.tool
async def echo(text: str) -> ToolResult:
    """Returns the text."""
    return done({"text": text})


@server.tool
async def ask_form(ctx: Context) -> ToolResult:
    """Asks one form in the middle of its work, and returns the answer."""
    answer = await ctx.elicit("Who are you?", Profile)
    if answer.action != "accept":
        return done({"action": answer.action})
    return done({"action": "accept", "content": answer.data.model_dump(exclude_unset=True)})


@server.tool
async def ask_form_in_a_round(ctx: Context) -> ToolResult | InputRequiredResult:
    """Asks one form by its result, and returns the answer when it is called again."""
    answers = ctx.input_responses or {}
    if "profile" not in answers:
        params = ElicitRequestFormParams(message="Who are you?", requested_schema=Profile.model_json_schema())
        return InputRequiredResult(input_requests={"profile": ElicitRequest(params=params)})
    return done(answers["profile"].model_dump(mode="json", by_alias=True, exclude_unset=True))


@server.tool
async def slow(ctx: Context, seconds: float = 1.0) -> ToolResult:
    """Takes its time, and tells of its progress every 100 ms to whoever wants to know."""
    ticks = max(1, round(seconds * 10))
    for tick in range(ticks):
        await ctx.report_progress(tick, ticks, f"{tick} of {ticks}")
        await anyio.sleep(seconds / ticks)
    return done({"slept": seconds})


def serve_http() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
    config = uvicorn.Config(server.http_app(), log_level="warning", timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    if "--http" in sys.argv[1:]:
        serve_http()
    else:
        server.run("stdio", show_banner=False)
