"""A bot's test with pytest and the standard library alone: the exchange is a child process.

    pytest test_bot.py
"""

import hashlib
import hmac
import json
import os
import subprocess
import time
import urllib.parse
import urllib.request

import pytest

PROGRAM = os.environ.get("RINGBOOK_EMBEDDED", "node_modules/.bin/ringbook-embedded")


@pytest.fixture(scope="module")
def exchange():
    """Starts an exchange, which ends when its standard input does."""
    options = {"accounts": {"bot": {"USDT": "10000"}}}
    child = subprocess.Popen(
        [PROGRAM, json.dumps(options)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    yield json.loads(child.stdout.readline())
    child.stdin.close()
    assert child.wait(timeout=10) == 0
    child.stdout.close()


def send(exchange, account, method, path, **params):
    """Returns the parsed response to a signed request."""
    key = exchange["accounts"][account]
    query = urllib.parse.urlencode({**params, "timestamp": int(time.time() * 1000)})
    signature = hmac.new(key["secretKey"].encode(), query.encode(), hashlib.sha256).hexdigest()
    request = urllib.request.Request(
        f"{exchange['url']}{path}?{query}&signature={signature}",
        method=method,
        headers={"X-MBX-APIKEY": key["apiKey"]},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def test_the_bot_buys_what_the_maker_offers(exchange):
    order = {"symbol": "BTCUSDT", "type": "LIMIT", "timeInForce": "GTC"}
    order |= {"price": "5000", "quantity": "1"}
    send(exchange, "maker", "POST", "/api/v3/order", side="SELL", **order)
    bought = send(exchange, "bot", "POST", "/api/v3/order", side="BUY", **order)
    assert bought["status"] == "FILLED"
    account = send(exchange, "bot", "GET", "/api/v3/account", omitZeroBalances="true")
    assert {row["asset"] for row in account["balances"]} == {"BTC", "USDT"}
