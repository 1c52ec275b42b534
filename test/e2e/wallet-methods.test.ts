/**
 * Every method of Binance's connector for wallets, against a running exchange: each whose path is served gets an answer that
 * its own types take (compiled-answers.ts), each other one is told that it is not.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LoopExchange } from '../fixtures/loop-exchange.ts'
import { folderPerTest } from '../fixtures/temporary-folder.ts'
import { type Call, callAll, compiled, methodsOf } from './compiled-answers.ts'

type Method = (params?: object) => Promise<{ data(): Promise<unknown> }>
interface Package {
  readonly Wallet: new (configuration: object) => { restAPI: Readonly<Record<string, Method>> }
}

const PATIENCE_MS = 120_000
const NOT_SUPPORTED = -1020
const folder = folderPerTest()
let exchange: LoopExchange
let api: Readonly<Record<string, Method>>

beforeAll(async () => {
  exchange = await LoopExchange.start(['--unsigned-system-status', 'on'])
  const { apiKey, secretKey } = exchange.keys().maker!
  const configurationRestAPI = {
    ...{ apiKey, apiSecret: secretKey, basePath: exchange.url },
    ...{ timeout: PATIENCE_MS, retries: 0 },
  }
  const name = '@binance/wallet'
  const { Wallet } = (await import(name)) as Package
  api = new Wallet({ configurationRestAPI }).restAPI
  const { address } = (await (await api.depositAddress!(coin)).data()) as { address: string }
  await exchange.operate(['chain-send', address, '25', '--coin', 'USDT'])
  await exchange.operate(['distribute', 'maker', 'USDT', '5', 'rebate'])
})
afterAll(() => exchange?.remove())

const coin = { coin: 'USDT', network: 'ETH' }
const calls: readonly Call[] = [
  ['systemStatus'],
  ['accountStatus'],
  ['accountApiTradingStatus'],
  ['getApiKeyPermission'],
  ['allCoinsInformation'],
  ['assetDetail'],
  ['assetDividendRecord'],
  ['tradeFee'],
  ['userAsset', { needBtcValuation: true }],
  ['depositAddress', coin],
  ['fetchDepositAddressListWithNetwork', { coin: 'USDT' }],
  ['depositHistory'],
  ['withdraw', { ...coin, address: `0x${'a'.repeat(40)}`, amount: 25, withdrawOrderId: 'w' }],
  ['withdrawHistory'],
]
/** Of other wallets, of travel rules, and what nothing here stands for (docs/clients.md). */
const lacked = [
  ...['accountInfo', 'dailyAccountSnapshot', 'disableFastWithdrawSwitch'],
  ...['enableFastWithdrawSwitch', 'dustConvert', 'dustConvertibleAssets', 'dustTransfer'],
  ...['dustlog', 'fundingWallet', 'getAssetsThatCanBeConvertedIntoBnb'],
  ...['getCloudMiningPaymentAndRefundHistory', 'getOpenSymbolList'],
  ...['queryUserDelegationHistory', 'queryUserUniversalTransferHistory'],
  ...['queryUserWalletBalance', 'toggleBnbBurnOnSpotTradeAndMarginInterest'],
  ...['userUniversalTransfer', 'fetchWithdrawAddressList', 'fetchWithdrawQuota'],
  ...['oneClickArrivalDepositApply', 'getSymbolsDelistScheduleForSpot', 'brokerWithdraw'],
  ...['checkQuestionnaireRequirements', 'depositHistoryTravelRule', 'depositHistoryV2'],
  ...['fetchAddressVerificationList', 'submitDepositQuestionnaire'],
  ...['submitDepositQuestionnaireTravelRule', 'submitDepositQuestionnaireV2', 'vaspList'],
  ...['withdrawHistoryV1', 'withdrawHistoryV2', 'withdrawTravelRule'],
]
const general = /^send(Signed)?Request$/

const head = `import type { Wallet } from '@binance/wallet'
type Api = Wallet['restAPI']
type Answer<Data> = Data extends () => Promise<infer Parsed> ? Parsed : Data
type Of<Api, Method extends keyof Api> =
  Api[Method] extends (...given: never[]) => Promise<{ data: infer Data }> ? Answer<Data> : never`

const library = {
  dataOf: (answer: unknown) => (answer as { data(): Promise<unknown> }).data(),
  isLacked: () => false,
  placing: /^$/,
  replacing: /^$/,
  // Its type has the coins of the documents' example.
  untyped: new Set(['assetDetail']),
}

test('each method whose path is served gets an answer that its types take', async () => {
  const failed: string[] = []
  const answers = await callAll({ ...library, api }, calls, failed)
  expect(failed).toEqual([])
  const rows = answers.filter(({ data }) => Array.isArray(data) && data.length === 0)
  expect(rows).toEqual([])
  expect(await compiled(folder(), head, answers)).toBe('')
})

test('no method is left out', () => {
  const methods = methodsOf(api).filter((name) => !general.test(name))
  expect(methods.sort()).toEqual([...calls.map(([name]) => name), ...lacked].sort())
})

test.each(lacked)('%s is told that it is not served', async (name) => {
  const call = api[name]!
  const params: Record<string, string> = {}
  // The library names what lacks, one parameter at a time.
  for (;;) {
    const error = await call.call(api, params).catch((it: { field?: string; code?: number }) => it)
    const { field, code } = error as { field?: string; code?: number }
    if (field === undefined || field in params) {
      expect(code, String(error)).toBe(NOT_SUPPORTED)
      return
    }
    params[field] = '1'
  }
})
