/** One server of PostgreSQL on loopback, in its own folder. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  appendFileSync,
  chownSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { owner } from './binaries.ts'

const USER = 'ringbook'

/** Runs a statement and returns its rows. */
export type Ask = (text: string) => Promise<readonly Record<string, unknown>[]>

/** Between two looks at a server that starts or ends. */
const PAUSE_MS = 20
const START_MS = 60_000

/** A test that fails before it could stop what it started leaves nothing behind. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export class PostgresServer {
  readonly port: number
  readonly folder: string
  private readonly programs: string
  private child: ChildProcess | undefined = undefined

  /** For a data folder that exists, or that `initialize` makes. */
  constructor(programs: string, folder: string, port: number) {
    this.programs = programs
    this.folder = folder
    this.port = port
  }

  get isRunning(): boolean {
    return this.child !== undefined
  }

  get pid(): number {
    if (this.child?.pid === undefined) throw new Error('the server does not run')
    return this.child.pid
  }

  initialize(): void {
    const options = ['--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C']
    const args = ['-D', this.folder, '-U', USER, ...options]
    execFileSync(path.join(this.programs, 'initdb'), args, { ...owner, stdio: 'pipe', cwd: '/' })
  }

  /** Appends lines to its settings. */
  set(settings: Readonly<Record<string, string>>): void {
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
    appendFileSync(path.join(this.folder, 'postgresql.conf'), lines.join(''))
  }

  /** Makes a file in its folder. */
  sign(name: string, text = ''): void {
    const file = path.join(this.folder, name)
    writeFileSync(file, text)
    if (owner !== undefined) chownSync(file, owner.uid, owner.gid)
  }

  /** Resolves when it accepts connections. */
  async start(): Promise<void> {
    const log = openSync(this.logFile, 'a')
    const args = ['-D', this.folder, '-p', String(this.port)]
    const child = spawn(path.join(this.programs, 'postgres'), args, {
      ...owner,
      stdio: ['ignore', log, log],
      cwd: '/',
    })
    closeSync(log)
    this.child = child
    running.add(child)
    const deadlineMs = performance.now() + START_MS
    while (!(await this.answers())) {
      if (child.exitCode !== null || performance.now() > deadlineMs) {
        throw new Error(`PostgreSQL does not start:\n${readFileSync(this.logFile, 'utf8')}`)
      }
      await pause()
    }
  }

  async query(text: string, database?: string): Promise<readonly Record<string, unknown>[]> {
    return this.session((ask) => ask(text), database)
  }

  /** Runs several statements on one connection. */
  async session<T>(action: (ask: Ask) => Promise<T>, database = 'postgres'): Promise<T> {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: this.port,
      user: USER,
      database,
    })
    client.on('error', () => {})
    await client.connect()
    try {
      return await action(async (text) => (await client.query(text)).rows)
    } finally {
      await client.end()
    }
  }

  /** Allows connections from a network, beside those over loopback. Before its start. */
  trust(network: string): void {
    appendFileSync(path.join(this.folder, 'pg_hba.conf'), `host all ${USER} ${network} trust\n`)
  }

  /** Makes a standby the primary. */
  async promote(): Promise<void> {
    await this.query('SELECT pg_promote(true, 60)')
  }

  /** SIGINT stops it in order; SIGKILL takes the postmaster, whose children then end. */
  async stop(signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const child = this.child
    if (child === undefined) return
    const isAlive = child.exitCode === null && child.signalCode === null
    // A stopped child would never learn that its postmaster ended.
    if (isAlive) this.hang('SIGCONT')
    this.child = undefined
    running.delete(child)
    if (isAlive) {
      const exited = new Promise((resolve) => child.once('exit', resolve))
      child.kill(signal)
      await exited
    }
    // Children that outlive the postmaster would write into a folder that is removed, and refuse the next one.
    if (signal === 'SIGKILL') await this.orphansEnd()
  }

  /** Stops all of its processes, as a machine that hangs, or lets them continue. */
  hang(signal: 'SIGSTOP' | 'SIGCONT'): void {
    // The postmaster first, which starts no more of them then.
    for (const pid of [this.pid, ...childrenOf(this.pid)]) killIfThere(pid, signal)
  }

  /** Processor time of its processes until now, Linux only. */
  processorMs(): number {
    return [...childrenOf(this.pid), this.pid].reduce((sum, pid) => sum + processorMsOf(pid), 0)
  }

  async remove(): Promise<void> {
    await this.stop('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }

  private get logFile(): string {
    return `${this.folder}.log`
  }

  private async answers(): Promise<boolean> {
    try {
      await this.query('SELECT 1')
      return true
    } catch {
      return false
    }
  }

  private async orphansEnd(): Promise<void> {
    while (hasProcess(this.folder)) await pause()
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS))

/** Whether a process is at work in the folder, Linux only. */
function hasProcess(folder: string): boolean {
  return readdirSync('/proc').some((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === folder
    } catch {
      // It has ended.
      return false
    }
  })
}

function killIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It ended since it was listed.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

/** User and system time: fields 14 and 15 of proc_pid_stat(5), in ticks of 10 ms. */
function processorMsOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
