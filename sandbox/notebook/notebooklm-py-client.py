"""Drives the published notebooklm-py against the facsimile, and prints what it saw as one line of JSON.

The client only talks to Google's own hosts, so its HTTP transport is pointed at the loopback server instead.
"""

import asyncio
import json
import sys

import httpx
from notebooklm import AuthTokens, NotebookLMClient

PORT, SID, PSIDTS, CSRF, SESSION, NOTEBOOK = sys.argv[1:7]


def to_loopback(transport):
    original = transport.handle_async_request

    async def handle(self, request):
        if not request.url.host.endswith("google.com"):
            raise RuntimeError(f"a request to {request.url.host}")
        request.url = request.url.copy_with(scheme="http", host="127.0.0.1", port=int(PORT))
        request.headers["host"] = f"127.0.0.1:{PORT}"
        return await original(self, request)

    transport.handle_async_request = handle


async def main():
    to_loopback(httpx.AsyncHTTPTransport)
    cookies = {"SID": SID, "__Secure-1PSIDTS": PSIDTS, "OSID": "osid", "HSID": "h", "SSID": "s", "APISID": "a", "SAPISID": "sa"}
    auth = AuthTokens(cookies=cookies, csrf_token=CSRF, session_id=SESSION)
    seen = {}
    async with NotebookLMClient(auth) as client:
        seen["listed"] = [[each.id, each.title] for each in await client.notebooks.list()]
        seen["title"] = (await client.notebooks.get(NOTEBOOK)).title
        seen["sources"] = [[each.id, each.title] for each in await client.sources.list(NOTEBOOK)]
        created = await client.notebooks.create("Made by another client")
        added = await client.sources.add_text(created.id, "Tides", "Spring tides follow the full Moon.")
        seen["added"] = [added.id, added.title]
        text = await client.sources.get_fulltext(created.id, added.id)
        seen["text"] = text.content
        url = await client.sources.add_url(created.id, "https://example.org/page")
        seen["url"] = [url.id, url.title]
        answer = await client.chat.ask(NOTEBOOK, "When do spring tides follow the Moon?")
        seen["answer"] = answer.answer
        seen["conversation"] = answer.conversation_id
        seen["references"] = [[each.source_id, each.cited_text] for each in answer.references]
        again = await client.chat.ask(NOTEBOOK, "And neap tides?", conversation_id=answer.conversation_id)
        seen["again"] = again.answer
        await client.notebooks.delete(created.id)
    print(json.dumps(seen))


asyncio.run(main())
