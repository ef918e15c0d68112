"""A small MCP server on the official Python SDK that asks back in every way.

Over stdio; with `--http` over Streamable HTTP, on a free port of loopback, whose address it prints first.

The tools have the same names and results as those of `../typescript-modern`, so one scenario runs over either.
Each asking handler is written once for both eras through `ask`: a modern client gets an `InputRequiredResult` and calls
again, a legacy client is asked in the middle of the call.
"""

import json
import os
import socket
import sys
from enum import Enum
from typing import Annotated, Any, Literal

import anyio
import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.request_state import RequestStateSecurity
from mcp.types import (
    CallToolResult,
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    ElicitResult,
    InputRequiredResult,
    ListRootsRequest,
    ListRootsResult,
    SamplingMessage,
    TextContent,
)
from mcp_types.version import is_version_at_least
from pydantic import BaseModel, Field, WithJsonSchema

# The SDK seals the request state. With its default, a key of the process, no other process could take up a call; with a
# fixed one, a call survives a restart.
server = MCPServer(
    "askback-python-peer",
    version="1.0.0",
    log_level="WARNING",
    request_state_security=RequestStateSecurity(keys=[b"a key for tests, known to everyone"]),
)

ANSWER_TYPES = {
    "elicitation/create": ElicitResult,
    "sampling/createMessage": CreateMessageResult,
    "roots/list": ListRootsResult,
}


def is_modern(ctx: Context) -> bool:
    return is_version_at_least(ctx.protocol_version or "2025-11-25", "2026-07-28")


async def ask(ctx: Context, requests: dict[str, Any], state: str | None = None) -> dict[str, Any] | InputRequiredResult:
    """The answers to `requests` by key, or what to return so that the client brings them."""
    if not is_modern(ctx):
        return {
            key: await ctx.session.send_request(request, ANSWER_TYPES[request.method])
            for key, request in requests.items()
        }
    answers = ctx.input_responses or {}
    if all(key in answers for key in requests):
        return {key: answers[key] for key in requests}
    return InputRequiredResult(input_requests=requests, request_state=state)


def as_received(answer: BaseModel) -> dict[str, Any]:
    """The answer as it came: what the client left out stays out, and a null it sent stays in."""
    received = answer.model_dump(mode="json", by_alias=True, exclude_unset=True)
    received.pop("resultType", None)
    return received


def done(value: dict[str, Any]) -> CallToolResult:
    text = json.dumps(value, ensure_ascii=False)
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=value)


# --- What is asked ------------------------------------------------------------------------------------------------


class Size(str, Enum):
    SMALL = "small"
    LARGE = "large"


COLOURS = [
    {"const": "red", "title": "Red like a rose"},
    {"const": "green", "title": "Green like grass"},
    {"const": "blue", "title": "Blue like the sea"},
]


# Rendered with plain `model_json_schema()`, as many servers do, for the shapes that this brings: `anyOf` with null,
# defaults of null, titles made from names.
class Profile(BaseModel):
    """Who you are."""

    name: str = Field(min_length=1, title="Name", description="What people call you")
    age: int | None = Field(default=None, ge=0, le=150, title="Age")
    agree: bool = Field(title="I agree")
    colour: Annotated[str, WithJsonSchema({"type": "string", "title": "Colour", "oneOf": COLOURS})] = "green"
    tags: list[Literal["sea", "city", "snow"]] = Field(default_factory=list, title="Tags", max_length=2)
    nickname: str | None = None


# On the modern wire the SDK strips `$defs` from the schema, and the `$ref` of `size` then points nowhere; on the legacy
# wire the schema arrives whole.
class Parcel(BaseModel):
    """What to send."""

    weight: float = Field(ge=0)
    size: Size | None = None


class Step(BaseModel):
    value: str = Field(min_length=1)


def form(message: str, model: type[BaseModel]) -> ElicitRequest:
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=model.model_json_schema()))


def sampling_request() -> CreateMessageRequest:
    def said(role: Literal["user", "assistant"], text: str) -> SamplingMessage:
        return SamplingMessage(role=role, content=TextContent(type="text", text=text))

    return CreateMessageRequest(
        params=CreateMessageRequestParams(
            system_prompt="You are terse.",
            messages=[said("assistant", "Which flight do you want?"), said("user", "The cheapest one.")],
            max_tokens=100,
        )
    )


PROFILE_MESSAGE = "Who are you?"

# --- Tools --------------------------------------------------------------------------------------------------------


@server.tool()
async def echo(text: str) -> CallToolResult:
    """Returns the text."""
    return done({"text": text})


@server.tool()
async def ask_form(ctx: Context) -> CallToolResult | InputRequiredResult:
    """Asks one form and returns the answer."""
    answers = await ask(ctx, {"profile": form(PROFILE_MESSAGE, Profile)})
    return answers if isinstance(answers, InputRequiredResult) else done(as_received(answers["profile"]))


@server.tool()
async def ask_form_refs(ctx: Context) -> CallToolResult | InputRequiredResult:
    """Asks one form whose schema has a `$ref`, and returns the answer. Only this peer has it."""
    answers = await ask(ctx, {"parcel": form("What shall be sent?", Parcel)})
    return answers if isinstance(answers, InputRequiredResult) else done(as_received(answers["parcel"]))


@server.tool()
async def ask_url(ctx: Context) -> CallToolResult | InputRequiredResult:
    """Asks the person to visit a page, and returns the action."""
    params = ElicitRequestURLParams(
        message="Please give your consent on this page.",
        url="http://127.0.0.1:9/consent",
        elicitation_id=None if is_modern(ctx) else f"consent-{ctx.request_id}",
    )
    answers = await ask(ctx, {"consent": ElicitRequest(params=params)})
    return answers if isinstance(answers, InputRequiredResult) else done({"action": answers["consent"].action})


@server.tool()
async def ask_sampling(ctx: Context) -> CallToolResult | InputRequiredResult:
    """Asks the model and returns its reply."""
    answers = await ask(ctx, {"reply": sampling_request()})
    if isinstance(answers, InputRequiredResult):
        return answers
    reply = as_received(answers["reply"])
    return done({"text": text_of(reply.get("content")), "model": reply.get("model")})


def text_of(content: Any) -> str:
    blocks = content if isinstance(content, list) else [content]
    return "\n".join(block["text"] for block in blocks if block and block.get("type") == "text")


@server.tool()
async def ask_roots(ctx: Context) -> CallToolResult | InputRequiredResult:
    """Asks for the roots and returns them."""
    answers = await ask(ctx, {"roots": ListRootsRequest()})
    return answers if isinstance(answers, InputRequiredResult) else done(as_received(answers["roots"]))


@server.tool()
async def ask_all(ctx: Context) -> CallToolResult | InputRequiredResult:
    """Asks for a form, the model and the roots in one round."""
    requests = {"profile": form(PROFILE_MESSAGE, Profile), "reply": sampling_request(), "roots": ListRootsRequest()}
    answers = await ask(ctx, requests, state="ask_all")
    if isinstance(answers, InputRequiredResult):
        return answers
    return done({key: as_received(answer) for key, answer in answers.items()})


@server.tool()
async def wizard(ctx: Context, steps: int = 3) -> CallToolResult | InputRequiredResult:
    """Asks one small form a round; what was answered so far travels in the request state."""
    values: list[Any] = json.loads(ctx.request_state or "[]")
    while len(values) < steps:
        step = len(values) + 1
        answers = await ask(ctx, {f"step{step}": form(f"Step {step} of {steps}", Step)}, state=json.dumps(values))
        if isinstance(answers, InputRequiredResult):
            return answers
        answer = answers[f"step{step}"]
        if answer.action != "accept":
            return done({"values": values, "stopped": answer.action})
        values.append((answer.content or {}).get("value"))
    return done({"values": values})


@server.tool()
async def state_only(ctx: Context, polls: int = 2) -> CallToolResult | InputRequiredResult:
    """Asks nothing, but has the client call again `polls` times; a legacy client has nothing to poll."""
    seen = int(ctx.request_state or 0)
    if is_modern(ctx) and seen < polls:
        return InputRequiredResult(request_state=str(seen + 1))
    return done({"polls": polls})


@server.tool()
async def slow(ctx: Context, seconds: float = 1.0) -> CallToolResult:
    """Takes its time, and tells of its progress every 100 ms to whoever wants to know."""
    ticks = max(1, round(seconds * 10))
    try:
        for tick in range(ticks):
            await ctx.report_progress(tick, ticks, f"{tick} of {ticks}")
            await anyio.sleep(seconds / ticks)
    except anyio.get_cancelled_exc_class():
        print("slow: cancelled", file=sys.stderr, flush=True)
        raise
    return done({"slept": seconds})


@server.tool()
async def fail() -> CallToolResult:
    """Always fails, politely."""
    return CallToolResult(content=[TextContent(type="text", text="this tool always fails")], is_error=True)


@server.tool()
async def crash() -> CallToolResult:
    """Takes the whole process down in the middle of the call."""
    print("about to crash\nreason: asked to", file=sys.stderr, flush=True)
    os._exit(7)


# --- A prompt and a resource that ask -----------------------------------------------------------------------------


@server.prompt()
async def ask_prompt(ctx: Context) -> str | InputRequiredResult:
    """Asks one form before the prompt is written."""
    answers = await ask(ctx, {"step": form("What is the prompt about?", Step)})
    return answers if isinstance(answers, InputRequiredResult) else json.dumps(as_received(answers["step"]))


# The SDK lets only a resource *template* ask, so `ask://resource` is served by one and is absent from `resources/list`.
@server.resource("ask://{name}", mime_type="application/json")
async def ask_resource(name: str, ctx: Context) -> str | InputRequiredResult:
    """Asks one form before the resource is read."""
    answers = await ask(ctx, {"step": form(f"What do you want of {name}?", Step)})
    return answers if isinstance(answers, InputRequiredResult) else json.dumps(as_received(answers["step"]))


def serve_http() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
    config = uvicorn.Config(server.streamable_http_app(), log_level="warning", timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    if "--http" in sys.argv[1:]:
        serve_http()
    else:
        server.run("stdio")
