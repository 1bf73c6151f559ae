# One session with the Python SDK's client: the tools, then the calls of PLAN, each result as one line of JSON.
import asyncio
import json
import os

from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client


async def main() -> None:
    async with streamable_http_client(os.environ["MCP_URL"]) as streams:
        async with ClientSession(streams[0], streams[1]) as session:
            await session.initialize()
            listed = await session.list_tools()
            print(json.dumps({"tools": [tool.name for tool in listed.tools]}))
            for step in json.loads(os.environ["PLAN"]):
                try:
                    result = await session.call_tool(step["tool"], step["args"])
                    said = {"text": result.content[0].text, "is_error": is_error(result)}
                except Exception as error:  # what the client raises is what a model would not read
                    said = {"raised": str(error)}
                print(json.dumps(said))


def is_error(result) -> bool:
    # 1.x has isError, 2.x is_error.
    return bool(getattr(result, "is_error", getattr(result, "isError", False)))


asyncio.run(main())
