"""Buys 0.01 ETH at the market with Python's standard library alone.

    python3 examples/place_order.py
"""

import hashlib
import hmac
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ.get("EXCHANGE_URL", "http://127.0.0.1:8080")
KEYS_FILE = os.environ.get("KEYS_FILE", "data/demo-keys.json")


def ask(method, path, params, key=None):
    """Returns the parsed response. Signs the parameters if a key is given."""
    headers = {}
    query = urllib.parse.urlencode(params)
    if key is not None:
        query = urllib.parse.urlencode({**params, "timestamp": int(time.time() * 1000)})
        secret = key["secretKey"].encode()
        signature = hmac.new(secret, query.encode(), hashlib.sha256).hexdigest()
        query += "&signature=" + signature
        headers["X-MBX-APIKEY"] = key["apiKey"]
    request = urllib.request.Request(f"{URL}{path}?{query}", method=method, headers=headers)
    try:
        with urllib.request.urlopen(request) as response:
            return json.load(response)
    except urllib.error.HTTPError as refusal:
        raise SystemExit(f"{refusal.code} {refusal.read().decode()}") from refusal


with open(KEYS_FILE, encoding="utf-8") as file:
    trader = next(key for key in json.load(file) if key["account"] == "trader2")

ticker = ask("GET", "/api/v3/ticker/bookTicker", {"symbol": "ETHUSDT"})
print(f"bid {ticker['bidPrice']}, ask {ticker['askPrice']}")

order = ask(
    "POST",
    "/api/v3/order",
    {"symbol": "ETHUSDT", "side": "BUY", "type": "MARKET", "quantity": "0.01"},
    trader,
)
print(f"order {order['orderId']} is {order['status']}")
