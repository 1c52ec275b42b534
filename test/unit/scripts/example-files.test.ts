/**
 * Configurations of examples/ whose programs cannot run in a test: a container engine, freqtrade, hummingbot
 * and NautilusTrader. Their keys are compared with those that the programs know, read from their public
 * sources at the commits below; paths, addresses and settings with those of this project. What of them can
 * reach an exchange does so in test/e2e/examples.test.ts.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseConfig } from '../../../src/config/config.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const examples = path.join(root, 'examples')
const read = (name: string) => readFileSync(path.join(examples, name), 'utf8')

describe('compose.yml', () => {
  const { services, volumes } = parse(read('compose.yml'))
  const { ringbook, bot } = services
  /** What Compose knows of a service, as far as the file uses it. */
  const known = [
    ...['build', 'image', 'command', 'volumes', 'stop_grace_period', 'user', 'environment'],
    'depends_on',
  ]

  test('has keys that Compose knows', () => {
    expect(Object.keys(parse(read('compose.yml')))).toEqual(['name', 'services', 'volumes'])
    for (const service of [ringbook, bot]) {
      expect(Object.keys(service).filter((key) => !known.includes(key))).toEqual([])
    }
  })

  test('builds the image of the exchange, with settings that there are', () => {
    const context = path.join(examples, ringbook.build.context)
    expect(path.resolve(context)).toBe(root)
    expect(existsSync(path.join(context, ringbook.build.dockerfile))).toBe(true)
    const { config, warnings } = parseConfig(ringbook.command, {}, () => '')
    expect([config === undefined, warnings]).toEqual([false, []])
  })

  test('runs a program that is there, with variables that it reads, once the exchange is healthy', () => {
    const [source, target] = bot.volumes[0].split(':')
    expect(existsSync(path.join(examples, source))).toBe(true)
    expect(bot.command.at(-1)).toBe(target)
    for (const name of Object.keys(bot.environment)) {
      expect(read(path.basename(source))).toContain(`"${name}"`)
    }
    expect(new URL(bot.environment.EXCHANGE_URL).hostname).toBe('ringbook')
    expect(bot.depends_on.ringbook.condition).toBe('service_healthy')
  })

  test('gives both the same volume, where the keys of the demo are', () => {
    expect(Object.keys(volumes)).toEqual(['ringbook-data'])
    expect(ringbook.volumes).toEqual(['ringbook-data:/data'])
    expect(bot.volumes).toContain('ringbook-data:/data:ro')
    expect(bot.environment.KEYS_FILE).toBe('/data/demo-keys.json')
  })
})

describe('freqtrade.json (freqtrade at c9ae5e1)', () => {
  const config = JSON.parse(read('freqtrade.json'))
  /** Keys of its schema that the file uses, and those that it needs to trade without defaults. */
  const known = [
    ...['$schema', 'max_open_trades', 'stake_currency', 'stake_amount', 'tradable_balance_ratio'],
    ...['timeframe', 'dry_run', 'trading_mode', 'minimal_roi', 'stoploss', 'entry_pricing'],
    ...['exit_pricing', 'exchange', 'pairlists', 'bot_name', 'initial_state', 'internals'],
  ]
  const ofExchange = [
    ...['name', 'key', 'secret', 'enable_ws', 'ccxt_config', 'pair_whitelist', 'pair_blacklist'],
  ]

  test('has the keys of its schema, and its kinds of value', () => {
    expect(Object.keys(config).sort()).toEqual([...known].sort())
    expect(Object.keys(config.exchange).sort()).toEqual([...ofExchange].sort())
    expect(config.stoploss).toBeLessThan(0)
    for (const pricing of [config.entry_pricing, config.exit_pricing]) {
      expect(['ask', 'bid', 'same', 'other']).toContain(pricing.price_side)
    }
    expect(config.pairlists).toEqual([{ method: 'StaticPairList' }])
  })
})

describe('hummingbot (at 2bfaccc)', () => {
  /** The names of version 24 of the template of this strategy. */
  const known = [
    ...['template_version', 'strategy', 'exchange', 'market', 'bid_spread', 'ask_spread'],
    ...['minimum_spread', 'order_refresh_time', 'max_order_age', 'order_refresh_tolerance_pct'],
    ...['order_amount', 'price_ceiling', 'price_floor', 'moving_price_band_enabled'],
    ...['ping_pong_enabled', 'inventory_skew_enabled', 'order_levels', 'filled_order_delay'],
    ...['hanging_orders_enabled', 'order_optimization_enabled', 'add_transaction_costs'],
    ...['price_source', 'price_type', 'take_if_crossed', 'should_wait_order_cancel_confirmation'],
  ]

  test('the strategy has keys of its template, and a market of the demo', () => {
    const strategy = parse(read('hummingbot.yml'))
    expect(Object.keys(strategy).filter((key) => !known.includes(key))).toEqual([])
    expect(strategy).toMatchObject({
      template_version: 24,
      strategy: 'pure_market_making',
      exchange: 'binance',
      market: 'ETH-USDT',
    })
  })

  test('the script writes its addresses into the constants of the connector', () => {
    const checkout = temporaryFolder()
    const connector = path.join(checkout, 'hummingbot/connector/exchange/binance')
    const constants = path.join(connector, 'binance_constants.py')
    mkdirSync(connector, { recursive: true })
    mkdirSync(path.join(checkout, 'conf/strategies'), { recursive: true })
    const names = ['REST_URL', 'WSS_URL', 'WSS_API_URL']
    writeFileSync(constants, names.map((name) => `${name} = "wss://elsewhere.{}"\n`).join(''))
    const said = execFileSync('bash', [path.join(examples, 'hummingbot.sh'), checkout], {
      env: { ...process.env, EXCHANGE_URL: 'http://127.0.0.1:9000' },
    })
    expect(String(said)).toBe(readFileSync(constants, 'utf8'))
    expect(String(said)).toBe(
      [
        'REST_URL = "http://127.0.0.1:9000/api/"',
        'WSS_URL = "ws://127.0.0.1:9000/ws"',
        'WSS_API_URL = "ws://127.0.0.1:9000/ws-api/v3"',
        '',
      ].join('\n'),
    )
    const copied = readFileSync(path.join(checkout, 'conf/strategies/hummingbot.yml'), 'utf8')
    expect(copied).toBe(read('hummingbot.yml'))
  })
})

describe('nautilus_node.py (NautilusTrader at a95c804)', () => {
  /** Fields of its two configurations of a client, as far as the file uses them. */
  const fields = [
    ...['api_key', 'api_secret', 'account_type', 'base_url_http', 'base_url_ws'],
    'instrument_provider',
  ]
  const modules = [
    ...['decimal', 'nautilus_trader.adapters.binance', 'nautilus_trader.config'],
    ...['nautilus_trader.live.node', 'nautilus_trader.model.identifiers'],
    'nautilus_trader.test_kit.strategies.tester_exec',
  ]
  /** Prints what the file imports, and the names of the arguments of what it calls. */
  const program = `
import ast, json, sys
tree = ast.parse(open(sys.argv[1], encoding="utf-8").read())
imports = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
calls = {}
for node in ast.walk(tree):
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        calls[node.func.id] = [word.arg for word in node.keywords]
keys = [key.value for node in ast.walk(tree) if isinstance(node, ast.Dict)
        for key in node.keys if isinstance(key, ast.Constant)]
print(json.dumps({"imports": imports, "calls": calls, "keys": keys}))`

  test('is Python, and gives its clients fields that they have', () => {
    const file = path.join(examples, 'nautilus_node.py')
    const said = String(execFileSync('python3', ['-c', program, file]))
    const { imports, calls, keys } = JSON.parse(said)
    expect(imports.sort()).toEqual([...modules].sort())
    const given = [...calls.BinanceDataClientConfig, ...calls.BinanceExecClientConfig, ...keys]
    const named = given.filter((name: string | null) => name !== null)
    expect(named.filter((name: string) => !fields.includes(name))).toEqual([])
    expect(calls.ExecTesterConfig).toEqual(['instrument_id', 'order_qty', 'use_post_only'])
  })
})
