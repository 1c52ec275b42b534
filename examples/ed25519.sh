#!/usr/bin/env bash
# Makes an Ed25519 key with openssl, registers its public key for the account trader1 as the operator, and
# places, queries and cancels an order by curl. The private key never leaves its temporary folder.
set -euo pipefail
url=${EXCHANGE_URL:-http://127.0.0.1:8080}
admin=${ADMIN_FLAGS:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

openssl genpkey -algorithm ed25519 -out "$folder/private.pem"
openssl pkey -in "$folder/private.pem" -pubout -out "$folder/public.pem"

# shellcheck disable=SC2086
key=$(npx ringbook key-create $admin --account trader1 --kind ED25519 \
  --public-key "$(cat "$folder/public.pem")" --json | sed -n 's/.*"apiKey": *"\([^"]*\)".*/\1/p')

# ask METHOD PATH PARAMETERS: sends a request that the private key signs, and prints the response.
ask() {
  local payload="$3&timestamp=$(date +%s000)"
  printf '%s' "$payload" >"$folder/payload"
  local signature
  signature=$(openssl pkeyutl -sign -rawin -inkey "$folder/private.pem" -in "$folder/payload" |
    base64 -w 0 | sed 's/+/%2B/g; s/\//%2F/g; s/=/%3D/g')
  curl -sS -X "$1" -H "X-MBX-APIKEY: $key" "$url$2?$payload&signature=$signature"
  echo
}

limit="side=BUY&type=LIMIT&timeInForce=GTC&quantity=0.001&price=20000"
ask POST /api/v3/order "symbol=BTCUSDT&newClientOrderId=by-curl&$limit"
ask GET /api/v3/order "symbol=BTCUSDT&origClientOrderId=by-curl"
ask DELETE /api/v3/order "symbol=BTCUSDT&origClientOrderId=by-curl"
