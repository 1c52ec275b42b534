/** An embedded exchange that is loaded ten times holds what it held after the first, and shows the loaded state. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type EmbeddedExchange, startExchange } from '../../../src/index.ts'
import { isContent } from '../../../src/journal/content.ts'
import { held } from '../../fixtures/held.ts'

/** What is of the folder, whatever its content. */
const PLACE = ['admin-port', 'forks', 'operator-token', 'states']
const LOADS = 10

let exchange: EmbeddedExchange
afterEach(() => exchange.close())

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
const foldersOf = (kind: string) => readdirSync(path.join(exchange.folder, kind))

test('ten loads and a fork leave nothing behind', async () => {
  exchange = await startExchange({ accounts: { alice: { USDT: '1000' } } })
  const keys = { ...exchange.accounts }
  await exchange.save('one')
  const load = async () => {
    await exchange.account('bob', { USDT: '1' })
    expect(Object.keys(exchange.accounts)).toContain('bob')
    await exchange.load('one')
    expect(exchange.accounts).toEqual(keys)
    expect((await exchange.fetch('/api/v3/ping')).status).toBe(200)
  }
  const fork = async () => {
    const other = await exchange.fork()
    expect(foldersOf('forks')).toHaveLength(1)
    await other.close()
    expect([foldersOf('forks'), foldersOf('states')]).toEqual([[], ['one']])
  }
  await fork()
  await load()
  const [before, timersBefore] = [await held(), timers()]
  for (let i = 0; i < LOADS; i++) await load()
  await fork()
  expect(await held()).toEqual(before)
  expect(timers() - timersBefore).toBeLessThan(LOADS / 2)
  await expect(exchange.save('one')).rejects.toThrow('There is a state one already.')
  expect(await exchange.states()).toMatchObject([{ name: 'one', kind: 'state' }])
  await exchange.removeState('one')
  expect([await exchange.states(), foldersOf('states')]).toEqual([[], []])
  await exchange.save('one')
  const strange = readdirSync(exchange.folder).filter((name) => !isContent(name))
  expect(strange.filter((name) => !PLACE.includes(name))).toEqual([])
})
