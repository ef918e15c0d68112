"""Prints what Python libraries make of the types that server authors write, as fixtures for the form reader.

Each case is one line of an author's code, and that very line is run: fixtures tell what a library does, not what someone remembers of it.
What FastMCP and the SDK send is read off the wire: this script starts itself as a server over stdio and has it ask.

`python schemas.py FOLDER` writes pydantic.json, fastmcp.json and python-sdk.json there.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

# What several cases use; shown with them, and run as it stands.
GIVEN = """\
class Size(str, Enum): SMALL = "S"; MEDIUM = "M"; LARGE = "L"
class Level(IntEnum): LOW = 1; HIGH = 2
class Plain(Enum): YES = "yes"; NO = "no"
class Address(BaseModel): street: str; zip: str
class Card(BaseModel): by: Literal["card"]; last4: str
class Cash(BaseModel): by: Literal["cash"]
class Node(BaseModel): name: str; children: list["Node"] = []
"""

IMPORTS = """\
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from pathlib import Path
from typing import Annotated, Any, Literal, Optional
from uuid import UUID
from pydantic import (AnyUrl, AwareDatetime, Base64Str, BaseModel, ConfigDict, EmailStr, Field, FutureDate, HttpUrl, IPvAnyAddress, Json,
                      NonNegativeInt, PositiveFloat, PositiveInt, SecretStr, StringConstraints, conint, constr)
from typing_extensions import TypedDict
"""

# One field each, in a model of its own.
FIELDS = [
    ("text", "value: str"),
    ("text with words about it", 'value: str = Field(title="Your name", description="As on the ticket")'),
    ("text with an example", 'value: str = Field(examples=["Ada"])'),
    ("text of limited length", "value: str = Field(min_length=2, max_length=40)"),
    ("text of limited length, older spelling", "value: constr(min_length=2, max_length=40)"),
    ("trimmed text", "value: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]"),
    ("pattern", r'value: str = Field(pattern=r"^[A-Z]{3}-\d+$")'),
    ("e-mail", "value: EmailStr"),
    ("address of a page", "value: HttpUrl"),
    ("any address", "value: AnyUrl"),
    ("UUID", "value: UUID"),
    ("secret", "value: SecretStr"),
    ("path", "value: Path"),
    ("IP address", "value: IPvAnyAddress"),
    ("bytes", "value: bytes"),
    ("base64", "value: Base64Str"),
    ("JSON in text", "value: Json"),
    ("date", "value: date"),
    ("date to come", "value: FutureDate"),
    ("date with time", "value: datetime"),
    ("date with time and offset", "value: AwareDatetime"),
    ("time", "value: time"),
    ("duration", "value: timedelta"),
    ("whole number", "value: int"),
    ("number", "value: float"),
    ("whole number within bounds", "value: int = Field(ge=1, le=10)"),
    ("whole number between bounds", "value: int = Field(gt=0, lt=100)"),
    ("whole number within bounds, older spelling", "value: conint(ge=18, le=120)"),
    ("positive whole number", "value: PositiveInt"),
    ("whole number that is not negative", "value: NonNegativeInt"),
    ("positive number", "value: PositiveFloat"),
    ("number in steps", "value: float = Field(multiple_of=0.5)"),
    ("decimal number", "value: Decimal"),
    ("decimal number within bounds", "value: Decimal = Field(ge=0, max_digits=8, decimal_places=2)"),
    ("optional decimal number", "value: Decimal | None = None"),
    ("yes or no", "value: bool"),
    ("yes or no, default no", "value: bool = False"),
    ("yes or no, default yes", "value: bool = True"),
    ("consent", "value: Literal[True]"),
    ("text, default empty", 'value: str = ""'),
    ("text with a default", 'value: str = "Vienna"'),
    ("number, default zero", "value: int = 0"),
    ("date with a default", "value: date = date(2026, 7, 28)"),
    ("decimal number with a default", 'value: Decimal = Decimal("9.90")'),
    ("default made anew each time", "value: list[Size] = Field(default_factory=list)"),
    ("optional text", "value: str | None = None"),
    ("optional text, older spelling", "value: Optional[str] = None"),
    ("text or null, and required", "value: str | None"),
    ("optional limited text", "value: Annotated[str, Field(max_length=20)] | None = None"),
    ("optional whole number", "value: int | None = Field(default=None, ge=0, le=3)"),
    ("optional yes or no", "value: bool | None = None"),
    ("optional date", "value: date | None = None"),
    ("optional e-mail", "value: EmailStr | None = None"),
    ("choice", 'value: Literal["S", "M", "L"]'),
    ("choice with a default", 'value: Literal["S", "M", "L"] = "M"'),
    ("optional choice", 'value: Literal["S", "M", "L"] | None = None'),
    ("choice with null in it", 'value: Literal["S", "M", None] = None'),
    ("choice of numbers", "value: Literal[1, 2, 3]"),
    ("choice of different types", 'value: Literal["auto", 1, 2]'),
    ("constant", 'value: Literal["v1"]'),
    ("constant with a default", 'value: Literal["v1"] = "v1"'),
    ("enum", "value: Size"),
    ("enum with a default", "value: Size = Size.MEDIUM"),
    ("optional enum", "value: Size | None = None"),
    ("enum with words about it", 'value: Size = Field(default=Size.SMALL, title="Size", description="Unisex")'),
    ("enum of numbers", "value: Level"),
    ("enum without a type", "value: Plain"),
    ("titled choice, written as schema",
     'value: str = Field(json_schema_extra={"oneOf": [{"const": "s", "title": "Small"}, {"const": "l", "title": "Large"}]})'),
    ("named choice, written as schema", 'value: str = Field(json_schema_extra={"enum": ["s", "l"], "enumNames": ["Small", "Large"]})'),
    ("list of choices", 'value: list[Literal["S", "M", "L"]]'),
    ("list of enum", "value: list[Size]"),
    ("list of enum within limits", "value: list[Size] = Field(min_length=1, max_length=2)"),
    ("list of enum with a default", "value: list[Size] = [Size.SMALL]"),
    ("optional list of enum", "value: list[Size] | None = None"),
    ("set of enum", "value: set[Size]"),
    ("list of numbers to choose from", "value: list[Literal[1, 2, 3]]"),
    ("list of text", "value: list[str]"),
    ("list of text within limits", "value: list[str] = Field(min_length=1, max_length=3)"),
    ("set of text", "value: set[str]"),
    ("optional list of text", "value: list[str] | None = None"),
    ("list of whole numbers", "value: list[int]"),
    ("list of dates", "value: list[date]"),
    ("pair", "value: tuple[float, float]"),
    ("model within", "value: Address"),
    ("optional model within", "value: Address | None = None"),
    ("list of models", "value: list[Address]"),
    ("map", "value: dict[str, int]"),
    ("any object", "value: dict"),
    ("tree", "value: Node"),
    ("text or whole number", "value: str | int"),
    ("whole or other number", "value: int | float"),
    ("yes or no, or text", "value: bool | str"),
    ("address or e-mail", "value: HttpUrl | EmailStr"),
    ("choice or text of one's own", 'value: Literal["none"] | str'),
    ("enum or whole number", "value: Size | int"),
    ("discriminated union", 'value: Card | Cash = Field(discriminator="by")'),
    ("anything", "value: Any"),
    ("name on the wire", 'value: str = Field(alias="userName")'),
    ("deprecated", "value: str = Field(default='', deprecated=True)"),
]

# Whole models: how fields stand together.
MODELS = [
    ("no fields", "class Form(BaseModel): pass"),
    ("nothing but what is listed", 'class Form(BaseModel): model_config = ConfigDict(extra="forbid"); name: str'),
    ("anything besides", 'class Form(BaseModel): model_config = ConfigDict(extra="allow"); name: str'),
    ("title and description", 'class Form(BaseModel): "What we need to know."; model_config = ConfigDict(title="Your booking"); name: str'),
    ("one enum used twice", "class Form(BaseModel): first: Size; second: Size = Size.LARGE"),
    ("inherited fields", "class Form(Address): country: str"),
    ("booking", "class Form(BaseModel): name: str = Field(min_length=1); nights: int = Field(2, ge=1, le=30); breakfast: bool = False; "
                "room: Size; extras: list[Literal['cot', 'desk']] = Field(default=[], max_length=2); arrival: date; note: str | None = None"),
    ("dataclass", "@dataclass\nclass Form: name: str; nights: int = 1; size: Size | None = None"),
    ("typed dict", "class Form(TypedDict): name: str; nights: int"),
]

# What FastMCP takes in place of a model.
SHORTHANDS = [
    ("text", "str"),
    ("whole number", "int"),
    ("number", "float"),
    ("yes or no", "bool"),
    ("nothing", "None"),
    ("choice", 'Literal["S", "M", "L"]'),
    ("choice of numbers", "Literal[1, 2, 3]"),
    ("constant", 'Literal["yes"]'),
    ("enum", "Size"),
    ("enum without a type", "Plain"),
    ("enum of numbers", "Level"),
    ("list of options", '["S", "M", "L"]'),
    ("titled options", '{"S": {"title": "Small"}, "L": {"title": "Large"}}'),
    ("several options", '[["S", "M", "L"]]'),
    ("several titled options", '[{"S": {"title": "Small"}, "L": {"title": "Large"}}]'),
    ("several choices", 'list[Literal["S", "M", "L"]]'),
    ("several of an enum", "list[Size]"),
    ("several texts", "list[str]"),
    ("date", "date"),
    ("limited number", "Annotated[int, Field(ge=1, le=10)]"),
    ("text or nothing", "str | None"),
]


def run(code: str) -> dict[str, Any]:
    scope: dict[str, Any] = {"__name__": "author"}
    for part in (IMPORTS, GIVEN, code):
        exec(part, scope)
    return scope


def cases() -> list[tuple[str, str, str]]:
    """Name, code as shown, code as run."""
    fields = [(name, code, f"class Form(BaseModel): {code}") for name, code in FIELDS]
    return fields + [(name, code, code) for name, code in MODELS]


def fastmcp_cases() -> list[tuple[str, str, str]]:
    return [(name, f'ctx.elicit("…", {code})', f"Form = {code}") for name, code in SHORTHANDS] + cases()


# --- The libraries as servers ---------------------------------------------------------------------------------------------


async def outcome(ask: Callable[[], Awaitable[Any]]) -> str:
    """What to answer the tool's caller: for a schema that the library will not send, its reason."""
    try:
        await ask()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "asked"


def serve_fastmcp() -> None:
    from fastmcp import Context, FastMCP

    server = FastMCP("fixtures")

    @server.tool
    async def ask(case: int, ctx: Context) -> str:
        return await outcome(lambda: ctx.elicit("…", run(fastmcp_cases()[case][2])["Form"]))

    server.run(transport="stdio", show_banner=False, log_level="CRITICAL")


def serve_sdk() -> None:
    from mcp.server.mcpserver import Context, MCPServer

    server = MCPServer("fixtures", log_level="CRITICAL")

    @server.tool()
    async def ask(case: int, ctx: Context) -> str:
        return await outcome(lambda: ctx.elicit("…", run(cases()[case][2])["Form"]))

    server.run(transport="stdio")


class Conversation:
    """A client just good enough to be asked, so that nothing comes between the server and what is written down."""

    def __init__(self, role: str) -> None:
        # With a fixed seed, so that reasons which list a set do not change from run to run.
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        self.process = subprocess.Popen(
            [sys.executable, __file__, role], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.last = 0
        about = {"name": "fixtures", "version": "1"}
        self.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {"form": {}}}, "clientInfo": about})
        self.send({"method": "notifications/initialized"})

    def send(self, message: dict[str, Any]) -> None:
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method: str, params: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any] | None]:
        """The reply, and the schema that was asked with on the way."""
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        schema = None
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("method") == "elicitation/create":
                schema = message["params"]["requestedSchema"]
                self.send({"id": message["id"], "result": {"action": "cancel"}})
            elif message.get("id") == self.last:
                return message, schema
        raise SystemExit(f"the server went away during {method}")

    def ask(self, case: int) -> dict[str, Any] | str:
        """The schema, or the library's reason not to ask."""
        reply, schema = self.request("tools/call", {"name": "ask", "arguments": {"case": case}})
        if schema is not None:
            return schema
        return reply["result"]["content"][0]["text"]


# --- Writing it down ------------------------------------------------------------------------------------------------------


def pydantic_schema(code: str) -> dict[str, Any] | str:
    from pydantic import TypeAdapter

    try:
        return TypeAdapter(run(code)["Form"]).json_schema()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def write(folder: Path, file: str, library: str, packages: list[str], how: str, found: list[tuple[str, str, dict[str, Any] | str]]) -> None:
    fixtures = [{"name": name, "source": source, "schema": schema} for name, source, schema in found if not isinstance(schema, str)]
    refused = [
        {"name": name, "source": source, "why": re.sub(r"\s+", " ", why)[:200]} for name, source, why in found if isinstance(why, str)
    ]
    content = {
        "library": library,
        "version": ", ".join(version(package) if package == library else f"{package} {version(package)}" for package in packages),
        "how": how,
        "given": GIVEN.strip(),
        "fixtures": fixtures,
        "refused": refused,
    }
    (folder / file).write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{file}: {len(fixtures)} fixtures, {len(refused)} refused by the library")


def main() -> None:
    match sys.argv[1]:
        case "serve-fastmcp":
            return serve_fastmcp()
        case "serve-sdk":
            return serve_sdk()
        case name:
            folder = Path(name)
    plain = [(name, source, pydantic_schema(code)) for name, source, code in cases()]
    write(folder, "pydantic.json", "pydantic", ["pydantic"], "Form.model_json_schema()", plain)
    for file, library, role, how, wanted in [
        ("fastmcp.json", "fastmcp", "serve-fastmcp", 'ctx.elicit("…", Form)', fastmcp_cases()),
        ("python-sdk.json", "mcp", "serve-sdk", 'ctx.elicit("…", Form)', cases()),
    ]:
        conversation = Conversation(role)
        found = [(name, source, conversation.ask(index)) for index, (name, source, _) in enumerate(wanted)]
        conversation.process.stdin.close()
        conversation.process.wait(timeout=30)
        write(folder, file, library, [library, "pydantic"], how, found)


main()
