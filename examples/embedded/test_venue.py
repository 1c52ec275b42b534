"""What a test in Python does with an exchange of its own.

    PYTHONPATH=$(npx ringbook python-path) pytest -p ringbook_venue test_venue.py
"""

import http.client
import socket
import tempfile
import time
import urllib.error
import urllib.request

from ringbook_venue import ApiError, Venue, VenueError

ORDER = {"symbol": "BTCUSDT", "type": "LIMIT", "timeInForce": "GTC"}


def buy(venue, **more):
    order = {**ORDER, "side": "BUY", "quantity": "1", "price": "20000", **more}
    return venue.send("bob", "POST", "/api/v3/order", **order)


def refusal(call, kind):
    try:
        call()
    except kind as error:
        return error
    raise AssertionError("nothing was refused")


def test_an_order_of_unknown_fate(venue):
    venue.account("bob", USDT=100_000)
    name = venue.faults.add(do="unknown", parameter="newClientOrderId=lost-*", times=1)
    lost = refusal(lambda: buy(venue, newClientOrderId="lost-1"), ApiError)
    assert (lost.status, lost.code) == (504, -1007)
    assert lost.headers["X-Ringbook-Fault"] == name
    query = {"symbol": "BTCUSDT", "origClientOrderId": "lost-1"}
    assert venue.send("bob", "GET", "/api/v3/order", **query)["status"] == "NEW"
    assert [(row["name"], row["touched"]) for row in venue.faults.list()] == [(name, 1)]
    venue.faults.remove(name)
    venue.faults.apply('[[fault]]\nname = "page"\ndo = "forbid"')
    page = refusal(lambda: buy(venue), ApiError)
    assert page.status == 403 and "<h1>403 Forbidden</h1>" in page.body
    venue.faults.remove()
    assert venue.faults.list() == []
    assert "do must be" in str(refusal(lambda: venue.faults.add(do="explode"), VenueError))


def test_partial_fills_and_events(venue):
    venue.account("bob", USDT="100000")
    events = venue.events(account="bob")
    order = buy(venue)
    fill = venue.fill(order, 0.3)
    assert (fill["filled"], fill["left"]) == ("0.30000000", "0.70000000")
    venue.faults.add(do="fill", quantity="50%", moments="0,10", account="bob", times=1)
    second = buy(venue, price="21000")
    seen = []
    for event in events:
        seen.append((event["orderId"], event["event"], event["filled"]))
        if event["filled"] == "0.50000000":
            break
    assert seen == [
        (order["orderId"], "NEW", "0.00000000"),
        (order["orderId"], "TRADE", "0.30000000"),
        (second["orderId"], "NEW", "0.00000000"),
        (second["orderId"], "TRADE", "0.25000000"),
        (second["orderId"], "TRADE", "0.50000000"),
    ]
    assert events.read() == []


def test_back_to_a_saved_state(venue):
    venue.account("bob", USDT=1_000, BTC=1e-8)
    venue.save("funded")
    venue.account("bob", USDT=9)
    venue.load("funded")
    account = venue.send("bob", "GET", "/api/v3/account", omitZeroBalances="true")
    free = {row["asset"]: row["free"] for row in account["balances"]}
    assert free == {"BTC": "0.00000001", "USDT": "1000.00000000"}
    mark = venue.mark()
    for _ in range(2):
        order = buy(venue, quantity="0.01")
        mark = venue.revert(mark)
        gone = {"symbol": "BTCUSDT", "orderId": order["orderId"]}
        error = refusal(lambda: venue.send("bob", "GET", "/api/v3/order", **gone), ApiError)
        assert error.code == -2013
    kept = http.client.HTTPConnection("127.0.0.1", venue.port)
    kept.request("GET", "/api/v3/ping")
    kept.getresponse().read()
    # A request then needs the connection that there is.
    kept.auto_open = 0
    venue.revert(mark, sockets="keep")
    kept.request("GET", "/api/v3/ping")
    assert kept.getresponse().read() == b"{}"
    with tempfile.TemporaryDirectory() as folder:
        venue.save(f"{folder}/funded")
        with Venue(state=f"{folder}/funded") as other:
            assert other.accounts == venue.accounts


def test_a_bad_network(venue):
    network = venue.network(down={"ms": 200})
    began = time.monotonic()
    with urllib.request.urlopen(f"{network.url}/api/v3/ping") as response:
        assert response.read() == b"{}"
    assert time.monotonic() - began >= 0.2
    network.set(down={"cut": 5})
    kept = http.client.HTTPConnection("127.0.0.1", network.port)
    kept.request("GET", "/api/v3/ping")
    refusal(lambda: kept.getresponse().read(), (http.client.HTTPException, OSError))
    kept.close()
    network.set(connect="silent")
    with socket.create_connection(("127.0.0.1", network.port)) as silent:
        while network.connections == 0:
            time.sleep(0.01)
        network.reset()
        refusal(lambda: silent.recv(1), OSError)
    network.set(connect="refuse")
    refusal(lambda: urllib.request.urlopen(network.url), urllib.error.URLError)
    wrong = refusal(lambda: network.set(upp={}), VenueError)
    assert str(wrong).startswith("A network has no upp.")
    network.close()
    assert venue.act("networks")["rows"] == []


def test_an_hour_in_a_moment():
    with Venue(clock="virtual") as venue:
        assert venue.clock.is_virtual
        venue.clock.pause()
        before = venue.clock.now()
        assert venue.clock.advance("1h") - before == 3_600_000
        now = venue.send(None, "GET", "/api/v3/time")["serverTime"]
        assert now - before == 3_600_000
        assert venue.send("trader1", "GET", "/api/v3/account")["canTrade"]


def test_a_fork_on_a_date():
    with Venue(clock={"at": "2024-03-01T00:00:00Z"}) as venue:
        later = venue.clock.advance_to("2024-03-02T00:00:00Z")
        other = venue.fork()
        assert other.clock.now() == later == 1_709_337_600_000
        other.faults.add(do="answer", status=500, operation="time", times=1)
        message = refusal(other.faults.expect_touched, AssertionError)
        assert str(message) == "Rules that touched nothing: fault-1."
        assert refusal(lambda: other.send(None, "GET", "/api/v3/time"), ApiError).status == 500
        other.faults.expect_touched("fault-1")
        assert venue.send(None, "GET", "/api/v3/time")["serverTime"] == later
        assert [state["kind"] for state in venue.states()] == ["fork"]


def test_a_deposit_over_a_chain():
    with Venue(clock="virtual") as venue:
        venue.clock.pause()
        venue.account("treasury", withdraw=True)
        sent = venue.chain.send("USDT", "25.5", account="treasury", id="a")
        assert (sent["chain"], sent["amount"], sent["status"]) == ("ETH", "25.50000000", "PENDING")
        venue.clock.advance("2m")
        funds = venue.send("treasury", "GET", "/api/v3/account")["balances"]
        assert [row["free"] for row in funds if row["asset"] == "USDT"] == ["25.50000000"]
        venue.chain.reorganise("ETH", 10, drop=True)
        venue.clock.advance(1)
        assert venue.act("funds-proof")["said"] == "The funds of every asset are proven."
        message = refusal(lambda: venue.chain.resume("ETH"), VenueError)
        assert str(message).startswith("The chain is stopped already, or it is not")
