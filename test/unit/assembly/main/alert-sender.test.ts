/** Alerts that are sent: to a real HTTP server and to real programs. */
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AlertTargets } from '../../../../src/assembly/main/alert-file.ts'
import {
  AlertSender,
  GAP_MS,
  TIMEOUT_MS,
  WAITING_MAX,
} from '../../../../src/assembly/main/alert-sender.ts'
import { RealTime } from '../../../../src/base/real-time.ts'
import type { Time } from '../../../../src/base/time.ts'
import type { AlertChange } from '../../../../src/telemetry/alert-evaluator.ts'
import { eventually } from '../../../fixtures/eventually.ts'
import { folderPerTest } from '../../../fixtures/temporary-folder.ts'

const BEGIN: AlertChange = {
  state: 'begin',
  name: 'RingbookDown',
  severity: 'page',
  text: 'It is down; $(touch /tmp/never) `id` "quoted".',
}
const END: AlertChange = { ...BEGIN, state: 'end', text: 'Over.' }

const folder = folderPerTest()
let server: http.Server
let url: string
/** What the receiver got, and what it responds with next. */
let received: Record<string, string>[]
let statuses: (number | 'never' | 'endless')[]
let targets: AlertTargets
let counts: { sent: number; failed: number }
let sender: AlertSender

/** Pauses between messages and tries are over at once; time-outs come when a test wants them. */
const real = new RealTime()
const pauses: number[] = []
const timeOuts = new Set<() => void>()
const time: Pick<Time, 'after' | 'nowMs'> = {
  nowMs: () => real.nowMs(),
  after: (ms, run) => {
    if (ms === TIMEOUT_MS) {
      timeOuts.add(run)
      return { cancel: () => timeOuts.delete(run) }
    }
    pauses.push(ms)
    return real.after(0, run)
  },
}
/** Has all that is under way take too long. */
const passTime = () => {
  for (const run of timeOuts) run()
}

beforeEach(async () => {
  ;[received, statuses, counts] = [[], [], { sent: 0, failed: 0 }]
  pauses.splice(0)
  timeOuts.clear()
  server = http.createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      received.push(JSON.parse(body))
      const status = statuses.shift() ?? 200
      if (status === 'endless') response.writeHead(200).write('x')
      else if (status !== 'never')
        response.writeHead(status, { Location: '/other' }).end('x'.repeat(9))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  targets = { webhooks: [url], commands: [], severities: ['page', 'warn'], off: [] }
  sender = new AlertSender(() => targets, {
    time,
    member: 'https://member-1:8080',
    log: { info: () => {} },
    counts: { sent: () => counts.sent++, failed: () => counts.failed++ },
  })
})
afterEach(() => {
  sender.stop()
  server.closeAllConnections()
  server.close()
})

const done = (sent: number, failed = 0) =>
  eventually('all messages are done', async () =>
    counts.sent === sent && counts.failed === failed ? true : undefined,
  )

/** A program that notes its arguments, one a line, and does `more`. */
function program(more = ''): string {
  const file = folder('program.sh')
  fs.writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "$#" "$@" >> ${folder()}/args\n${more}\n`, {
    mode: 0o700,
  })
  return file
}
const noted = () => fs.readFileSync(folder('args'), 'utf8').trimEnd().split('\n')

test('a receiver gets the begin and the end, once each, in the name of the member', async () => {
  sender.send(BEGIN)
  sender.send(END)
  await done(2)
  expect(received).toEqual([
    { ...BEGIN, member: 'https://member-1:8080', time: expect.stringMatching(/^20.*Z$/) },
    { ...END, member: 'https://member-1:8080', time: expect.any(String) },
  ])
  expect(pauses).toContain(GAP_MS)
})

test('a program gets the message as arguments of its own, and no shell reads them', async () => {
  targets = { ...targets, webhooks: [], commands: [[program(), '--to', 'night; exit']] }
  sender.send(BEGIN)
  await done(1)
  const { state, name, severity, text } = BEGIN
  const [count, ...args] = noted()
  expect([count, ...args.slice(0, -1)]).toEqual([
    ...['8', '--to', 'night; exit', state, name, severity, text, 'https://member-1:8080'],
  ])
})

test('a program gets nothing of what the exchange has in its environment', async () => {
  vi.stubEnv('RINGBOOK_SECRET', 'of the exchange')
  targets = {
    ...targets,
    webhooks: [],
    commands: [[program(`env > ${folder()}/env; pwd > ${folder()}/pwd`)]],
  }
  sender.send(BEGIN)
  await done(1)
  vi.unstubAllEnvs()
  const names = fs.readFileSync(folder('env'), 'utf8').match(/^\w+/gm)!
  expect(names.filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name))).toEqual(['PATH'])
  expect(fs.readFileSync(folder('pwd'), 'utf8')).toBe('/\n')
})

test('a receiver whose answer does not end keeps no connection', async () => {
  statuses = ['endless']
  sender.send(BEGIN)
  await done(1)
  await eventually('no connection is left', async () => {
    const count = await new Promise<number>((resolve) =>
      server.getConnections((_, open) => resolve(open)),
    )
    return count === 0 || undefined
  })
})

test('a receiver that fails is asked once more, then the message is counted and forgotten', async () => {
  statuses = [500, 200, 500, 302, 200]
  for (const change of [BEGIN, END, BEGIN]) sender.send(change)
  await done(2, 1)
  expect(received.map(({ state }) => state)).toEqual(['begin', 'begin', 'end', 'end', 'begin'])
})

test('a receiver that does not answer, and a program that does not end, are given up', async () => {
  statuses = ['never', 'never']
  targets = { ...targets, commands: [[program('exec sleep 60')]] }
  const begun = () => (fs.existsSync(folder('args')) ? noted() : [])
  sender.send(BEGIN)
  for (const tries of [1, 2]) {
    await eventually('both are under way', async () => {
      const starts = begun().filter((line) => line === 'begin').length
      return (received.length === tries && starts === tries) || undefined
    })
    passTime()
  }
  await done(0, 2)
  expect(received).toHaveLength(2)
  expect(timeOuts.size).toBe(0)
})

test('a program that fails, is missing or floods its output is counted; the other targets get the message', async () => {
  const missing = folder('missing')
  targets = { ...targets, commands: [[program('exit 3')], [missing], ['/usr/bin/yes']] }
  sender.send(BEGIN)
  await done(1, 3)
  expect(received).toHaveLength(1)
})

test('severities that are not wanted, and alerts that are off, are not sent', async () => {
  targets = { ...targets, severities: ['page'], off: ['RingbookOff'] }
  sender.send({ ...BEGIN, severity: 'warn' })
  sender.send({ ...BEGIN, name: 'RingbookOff' })
  sender.send(BEGIN)
  await done(1)
  // Another file is in force from the next message on.
  targets = { ...targets, severities: ['page', 'warn'], off: [] }
  sender.send({ ...BEGIN, severity: 'warn' })
  await done(2)
  expect(received.map(({ severity }) => severity)).toEqual(['page', 'warn'])
})

test('more messages than may wait are counted as failed, at once', async () => {
  // The first one is under way.
  for (let at = 0; at < WAITING_MAX + 3; at++) sender.send(BEGIN)
  expect(counts.failed).toBe(2)
  await done(WAITING_MAX + 1, 2)
})

test('after the stop nothing is sent', async () => {
  statuses = ['never']
  sender.send(BEGIN)
  await eventually('the first is under way', async () => received[0])
  sender.send(END)
  sender.stop()
  sender.send(END)
  expect(received).toHaveLength(1)
  expect(counts).toEqual({ sent: 0, failed: 0 })
})
