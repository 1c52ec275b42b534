#!/usr/bin/env bash
# Points a checkout of hummingbot at this exchange: its Binance connector has its addresses as constants.
#   bash examples/hummingbot.sh ~/hummingbot
# Then `connect binance` with a key of the demo, `import hummingbot` and `start`.
set -euo pipefail
checkout=${1:?Give the folder of the hummingbot checkout.}
url=${EXCHANGE_URL:-http://127.0.0.1:8080}
sockets=ws${url#http}
constants=$checkout/hummingbot/connector/exchange/binance/binance_constants.py

sed -i.before \
  -e "s#^REST_URL = .*#REST_URL = \"$url/api/\"#" \
  -e "s#^WSS_URL = .*#WSS_URL = \"$sockets/ws\"#" \
  -e "s#^WSS_API_URL = .*#WSS_API_URL = \"$sockets/ws-api/v3\"#" \
  "$constants"
cp "$(dirname "$0")/hummingbot.yml" "$checkout/conf/strategies/hummingbot.yml"
grep -E '^(REST|WSS|WSS_API)_URL' "$constants"
