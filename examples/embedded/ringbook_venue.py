"""An exchange for tests in Python: one file of the package, the standard library alone.

    PYTHONPATH=$(npx ringbook python-path) pytest -p ringbook_venue        # with the fixture `venue`

    def test_my_bot(venue):
        venue.account("bob", USDT=10_000)
        order = venue.send("bob", "POST", "/api/v3/order", symbol="BTCUSDT", side="BUY", ...)
        venue.fill(order, "30%")

The exchange is a child process, which ends with this one. Its methods are operators' actions over its admin port,
as those of startExchange in JavaScript are: docs/embedding.md, docs/sandbox.md, docs/clock.md, docs/states.md.
"""

import contextlib
import decimal
import hashlib
import hmac
import itertools
import json
import os
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

_PACKED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../dist/src/embedded.js")
# A copy of this file elsewhere starts the program of the project that it is in.
_FOUND = _PACKED if os.path.exists(_PACKED) else "node_modules/.bin/ringbook-embedded"
PROGRAM = os.environ.get("RINGBOOK_EMBEDDED", _FOUND)
CLOSE_SECONDS = 10


class VenueError(Exception):
    """What an operator's action refuses, in one sentence."""


class ApiError(Exception):
    """An error of the API. `status`, `code` and `msg` are the client's; `body` is the text as it came."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body
        try:
            answer = json.loads(body)
        except ValueError:
            answer = {}
        self.code, self.msg = answer.get("code"), answer.get("msg")
        super().__init__(f"{status}: {self.code} {self.msg}")


class Venue:
    """One exchange. `url`, `wsUrl`, `wsApiUrl`, `sbeUrl`, `adminUrl`, `port`, `folder` and `accounts` are as in JavaScript."""

    def __init__(self, **options):
        self._options, self._forks = options, []
        self._child = subprocess.Popen(
            [PROGRAM, json.dumps(options)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        line = self._child.stdout.readline()
        if not line:
            raise VenueError("The exchange did not start: its standard error says why.")
        self.__dict__.update(json.loads(line))
        with open(os.path.join(self.folder, "operator-token"), encoding="utf8") as file:
            self._token = file.read().strip()
        self.faults = Faults(self)
        self.chain = Chain(self)
        self.clock = Clock(self)

    def act(self, action, **arguments):
        """Carries out an operator's action. Returns its answer: said, rows, and more where there is more."""
        request = urllib.request.Request(
            f"{self.adminUrl}/actions/{action}",
            data=json.dumps(arguments).encode(),
            headers={"Authorization": f"Bearer {self._token}"},
        )
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                raise VenueError(json.load(error)["error"]) from None

    def send(self, account, method, path, **params):
        """Sends a signed request, or one without a key for the account None. Returns the parsed answer, or raises ApiError."""
        headers = {}
        if account is not None:
            key = self.accounts[account]
            now = self.clock.now() if self.clock.is_virtual else int(time.time() * 1000)
            query = urllib.parse.urlencode({**params, "timestamp": now})
            digest = hmac.new(key["secretKey"].encode(), query.encode(), hashlib.sha256)
            query = f"{query}&signature={digest.hexdigest()}"
            headers["X-MBX-APIKEY"] = key["apiKey"]
        else:
            query = urllib.parse.urlencode(params)
        request = urllib.request.Request(
            f"{self.url}{path}?{query}", method=method, headers=headers
        )
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                raise ApiError(error.code, error.headers, error.read().decode()) from None

    def account(self, name, withdraw=False, **funds):
        """Opens an account with a key, and credits it; one that has a key is credited again. Returns its key, which may
        withdraw where the call that makes it says so."""
        amounts = {asset: _decimal(amount) for asset, amount in funds.items()}
        if name not in self.accounts:
            if all(row["account"] != name for row in self.act("accounts")["rows"]):
                self.act("account-open", account=name)
            row = self.act("key-create", account=name, withdraw=withdraw)["rows"][0]
            key = {"apiKey": row["apiKey"], "secretKey": row["secretKey"]}
            self._keep_key({"account": name, **key})
            self.accounts[name] = key
        for asset, amount in amounts.items():
            if decimal.Decimal(amount) != 0:
                self.act("deposit", account=name, asset=asset, amount=amount)
        return self.accounts[name]

    def fill(self, order, quantity=None):
        """Has a counterparty of the house fill a resting order: "0.3", "30%", or all that is left."""
        wish = {} if quantity is None else {"quantity": _decimal(quantity)}
        return self.act("fill", symbol=order["symbol"], id=order["orderId"], **wish)["rows"][0]

    def events(self, account=None, symbol=None):
        """What happens to orders from now on: iterate over it, or read() what came so far."""
        return Events(self, {"account": account, "symbol": symbol})

    def save(self, name_or_path):
        """Saves the present state under a name that is not there yet, or at a path with a separator: "./funded"."""
        self.act("save", name=_place(name_or_path))

    def states(self):
        """The saved states and forks."""
        return self.act("states")["rows"]

    def remove_state(self, name):
        self.act("state-remove", name=name)

    def load(self, name_or_path):
        """Goes back to a saved state, with its keys."""
        self.act("load", name=_place(name_or_path))
        self._read_keys()

    def reset(self):
        """Goes back to what there was at the start."""
        self.act("reset")
        self._read_keys()

    def mark(self):
        """Marks the present moment, and returns the mark for revert."""
        return self.act("mark")["rows"][0]["mark"]

    def revert(self, mark, sockets="end"):
        """Goes back to a mark at once. Returns the next mark of the same moment: each is used once. With sockets="keep"
        connections of clients stay open, and clients are told nothing."""
        answer = self.act("revert", mark=mark, sockets=sockets)
        self._read_keys()
        return answer["rows"][0]["mark"]

    def network(self, **conditions):
        """A bad network to the exchange, on a port of its own: network(down={"ms": 20}, connect="accept")."""
        return Network(self, self.act("network-add", conditions=conditions)["rows"][0])

    def fork(self):
        """Another exchange with the present state, keys and virtual time; it closes before this one does."""
        name = _unused("fork", self.states())
        self.act("fork", name=name)
        own = {}
        settings = {**self._options.get("settings", {})}
        settings.pop("clock", None)
        if "venue" in self._options:
            settings["demo"] = False
        if self.clock.is_virtual:
            own["clock"] = {"at": self.clock.now()}
        other = Venue(folder=self._file(f"forks/{name}"), settings=settings, **own)
        self._forks.append(other)
        return other

    def close(self):
        """Ends the exchange, and removes its temporary folder. May be called again."""
        for fork in self._forks:
            fork.close()
        if self._child.poll() is None:
            self._child.stdin.close()
            try:
                self._child.wait(timeout=CLOSE_SECONDS)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()
        self._child.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _keep_key(self, key):
        """Beside those of the options: a saved state has them too."""
        keys = [*self._keys("embedded-keys.json"), key]
        with open(self._file("embedded-keys.json.new"), "w", encoding="utf8") as file:
            json.dump(keys, file)
        os.replace(self._file("embedded-keys.json.new"), self._file("embedded-keys.json"))

    def _read_keys(self):
        keys = [*self._keys("demo-keys.json"), *self._keys("embedded-keys.json")]
        self.accounts = {
            key["account"]: {"apiKey": key["apiKey"], "secretKey": key["secretKey"]} for key in keys
        }

    def _keys(self, name):
        with contextlib.suppress(FileNotFoundError):
            with open(self._file(name), encoding="utf8") as file:
                return json.load(file)
        return []

    def _file(self, name):
        return os.path.join(self.folder, name)


class Faults:
    """Rules by which the exchange fails: the fields are those of docs/sandbox.md."""

    def __init__(self, venue):
        self._venue = venue

    def add(self, name=None, **rule):
        """Adds a rule, such as add(do="unknown", times=1). Returns its name."""
        if name is None:
            name = _unused("fault", self.list())
        # `from` is a word of Python.
        if "from_" in rule:
            rule["from"] = rule.pop("from_")
        self._venue.act("fault-add", name=name, **rule)
        return name

    def list(self):
        return self._venue.act("faults")["rows"]

    def expect_touched(self, *names):
        """Raises when one of these rules, or any, has touched nothing: a test with it proves nothing."""
        touched = {row["name"]: row["touched"] for row in self.list()}
        idle = [name for name in names or touched if not touched.get(name)]
        if idle:
            raise AssertionError(f"Rules that touched nothing: {', '.join(idle)}.")

    def remove(self, name="all"):
        self._venue.act("fault-remove", name=name)

    def apply(self, toml):
        """Adds the rules of a file's text, all or none."""
        self._venue.act("faults-apply", rules=toml)


class Chain:
    """The simulated chains: docs/wallet.md. Without a chain, that of the coin's default network is meant."""

    def __init__(self, venue):
        self._venue = venue

    def address(self, account, coin, chain=None):
        """Where the account receives the coin: address, and memo."""
        place = _given(account=account, coin=coin, chain=chain)
        return self._venue.act("deposit-address", **place)["rows"][0]

    def send(self, coin, amount, account=None, address=None, memo=None, chain=None, id=None):
        """Sends an amount from outside to an account, or to an address. Returns the deposit."""
        if account is not None:
            row = self.address(account, coin, chain)
            address, memo = row["address"], row["memo"] or None
        transfer = _given(address=address, memo=memo, coin=coin, chain=chain, id=id)
        return self._venue.act("chain-send", amount=_decimal(amount), **transfer)["rows"][0]

    def decide(self, withdrawal, decision):
        """Decides a withdrawal by its id: confirm, cancel, approve, reject or fail."""
        self._venue.act(f"withdrawal-{decision}", id=int(withdrawal))

    def stop(self, chain):
        self._venue.act("chain-stop", chain=chain)

    def resume(self, chain):
        self._venue.act("chain-resume", chain=chain)

    def congest(self, chain, blocks):
        """Transfers wait for so many blocks beyond the next one."""
        self._venue.act("chain-congest", chain=chain, blocks=blocks)

    def reorganise(self, chain, blocks, drop=False):
        """Takes back the newest blocks. With drop, transfers from outside are lost."""
        self._venue.act("chain-reorganise", chain=chain, blocks=blocks, drop=drop)

    def suspend(self, coin, chain, only=None):
        """Takes no deposits and no withdrawals, or one of both."""
        self._venue.act("coin-network-suspend", **_given(coin=coin, chain=chain, only=only))

    def unsuspend(self, coin, chain, only=None):
        self._venue.act("coin-network-resume", **_given(coin=coin, chain=chain, only=only))


class Network:
    """Clients of its `url`, `wsUrl`, `wsApiUrl` and `sbeUrl` have its conditions: the fields are those of docs/embedding.md."""

    def __init__(self, venue, row):
        self._venue, self.port = venue, row["network"]
        self.url, self.wsUrl = row["url"], row["wsUrl"]
        self.wsApiUrl, self.sbeUrl = row["wsApiUrl"], row["sbeUrl"]

    @property
    def connections(self):
        """Those that are open."""
        rows = self._venue.act("networks")["rows"]
        return next(row["connections"] for row in rows if row["network"] == self.port)

    def set(self, **conditions):
        """Replaces all conditions, for open connections too."""
        self._venue.act("network-set", network=self.port, conditions=conditions)

    def reset(self):
        """Resets all open connections."""
        self._venue.act("network-reset", network=self.port)

    def close(self):
        self._venue.act("network-remove", network=self.port)


class Clock:
    """Moves the time of an exchange that was started with clock="virtual" or {"at": …}; another one refuses."""

    def __init__(self, venue):
        self._venue = venue
        self.is_virtual = bool(venue.act("clock-show")["rows"])

    def now(self):
        """ms since 1970."""
        return int(self._venue.act("clock-show")["rows"][0]["ms"])

    def pause(self):
        self._venue.act("clock-pause")

    def resume(self):
        self._venue.act("clock-resume")

    def speed(self, times):
        self._venue.act("clock-speed", times=times)

    def step(self, length=None):
        """To the next thing that is due, or so far. Returns the time then."""
        self._venue.act("clock-step", **({} if length is None else {"length": length}))
        return self.now()

    def advance(self, length):
        """Moves on by ms, or a text such as "1h", through all that is due meanwhile. Returns the time then."""
        self._venue.act("clock-advance", length=length)
        return self.now()

    def advance_to(self, moment):
        """Moves to ms since 1970, or a text such as "2027-01-31T00:00:00Z". Returns the time then."""
        self._venue.act("clock-advance", moment=moment)
        return self.now()


class Events:
    """Events of orders in their order, none left out: the exchange keeps 10,000 for one who reads late."""

    WAIT_MS = 1_000

    def __init__(self, venue, of):
        self._venue = venue
        self._of = {field: value for field, value in of.items() if value is not None}
        self._waiting = []
        self._after = venue.act("events", **self._of)["more"]

    def read(self):
        """Returns all that came and was not read yet."""
        while self._fetch(0):
            pass
        events, self._waiting = self._waiting, []
        return events

    def __iter__(self):
        return self

    def __next__(self):
        while not self._waiting:
            self._fetch(self.WAIT_MS)
        return self._waiting.pop(0)

    def _fetch(self, wait):
        answer = self._venue.act("events", after=self._after, wait=wait, **self._of)
        self._after = answer["more"]
        self._waiting += answer["rows"]
        return len(answer["rows"])


def _given(**arguments):
    """Without those that are None."""
    return {name: value for name, value in arguments.items() if value is not None}


def _unused(kind, rows):
    """The first name of its kind that no row has."""
    names = {row["name"] for row in rows}
    return next(name for n in itertools.count(1) if (name := f"{kind}-{n}") not in names)


def _place(name_or_path):
    """A path is from where this process is."""
    return os.path.abspath(name_or_path) if os.sep in name_or_path else name_or_path


def _decimal(amount):
    """A number as Python writes it, without an exponent; texts stay."""
    return amount if isinstance(amount, str) else f"{decimal.Decimal(repr(amount)):f}"


try:
    import pytest
except ImportError:
    pass
else:

    @pytest.fixture
    def venue():
        """An exchange of the test's own."""
        with Venue() as started:
            yield started
