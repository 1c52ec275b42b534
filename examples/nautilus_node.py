"""A node of NautilusTrader on this exchange, which quotes ETHUSDT by NautilusTrader's test strategy.

Needs nautilus_trader, and an Ed25519 key, because it logs its session on:

    API_KEY=… PRIVATE_KEY=private.pem python3 examples/nautilus_node.py

ed25519.sh shows how openssl makes the key and the operator registers it.
"""

import os
from decimal import Decimal

from nautilus_trader.adapters.binance import (
    BINANCE,
    BinanceAccountType,
    BinanceDataClientConfig,
    BinanceExecClientConfig,
    BinanceLiveDataClientFactory,
    BinanceLiveExecClientFactory,
)
from nautilus_trader.config import InstrumentProviderConfig, TradingNodeConfig
from nautilus_trader.live.node import TradingNode
from nautilus_trader.model.identifiers import InstrumentId, TraderId
from nautilus_trader.test_kit.strategies.tester_exec import ExecTester, ExecTesterConfig

URL = os.environ.get("EXCHANGE_URL", "http://127.0.0.1:8080")
SOCKETS = "ws" + URL.removeprefix("http")

with open(os.environ["PRIVATE_KEY"], encoding="utf-8") as file:
    account = {
        "api_key": os.environ["API_KEY"],
        "api_secret": file.read(),
        "account_type": BinanceAccountType.SPOT,
        "base_url_http": URL,
        "instrument_provider": InstrumentProviderConfig(load_all=True),
    }

node = TradingNode(
    config=TradingNodeConfig(
        trader_id=TraderId("TESTER-001"),
        data_clients={BINANCE: BinanceDataClientConfig(base_url_ws=SOCKETS, **account)},
        exec_clients={
            BINANCE: BinanceExecClientConfig(base_url_ws=f"{SOCKETS}/ws-api/v3", **account)
        },
    )
)
node.add_data_client_factory(BINANCE, BinanceLiveDataClientFactory)
node.add_exec_client_factory(BINANCE, BinanceLiveExecClientFactory)
node.trader.add_strategy(
    ExecTester(
        config=ExecTesterConfig(
            instrument_id=InstrumentId.from_str(f"ETHUSDT.{BINANCE}"),
            order_qty=Decimal("0.01"),
            use_post_only=True,
        )
    )
)
node.build()

try:
    node.run()
finally:
    node.dispose()
