/**
 * A shell that is kept for commands which run beside the exchange. To start a program, the kernel copies
 * the page tables of the process that starts it, and then each page that one of its threads writes: with
 * 400 MB of memory all threads stand still for 12 to 16 ms. The shell is small, and no thread of the exchange
 * waits when it starts a program.
 *
 * It keeps the files open that were open when it was started. It ends when this process does, however that
 * ends; signals that end the exchange do not end it, since a stop may still need it.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'

type Running = ChildProcessByStdio<Socket, Socket, null>

/** A command that has not ended. */
interface Asked {
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

export class Shell {
  private readonly program: string
  private running: Running | undefined = undefined
  /** In the order in which they run. */
  private asked: Asked[] = []

  constructor(program = 'sh') {
    this.program = program
  }

  /** Starts the shell, if none runs. */
  open(): void {
    this.opened()
  }

  /** Resolves when the command has ended with 0; rejects when it has not, or cannot run. */
  run(command: string): Promise<void> {
    const { stdin, stdout } = this.opened()
    return new Promise((resolve, reject) => {
      this.asked.push({ resolve, reject })
      stdout.ref()
      stdin.write(`{ ${command}; } </dev/null >/dev/null 2>&1; echo $?\n`)
    })
  }

  private opened(): Running {
    this.running ??= this.start()
    return this.running
  }

  private start(): Running {
    const running = spawn(this.program, { stdio: ['pipe', 'pipe', 'ignore'] }) as Running
    createInterface({ input: running.stdout }).on('line', (status) => {
      this.ended(status)
      if (this.asked.length === 0) running.stdout.unref()
    })
    running.on('error', () => {})
    running.stdin.on('error', () => {})
    running.on('close', () => this.closed())
    // This process may end while the shell waits.
    for (const handle of [running, running.stdin, running.stdout]) handle.unref()
    running.stdin.write("trap '' HUP INT TERM\n")
    return running
  }

  private ended(status: string): void {
    const asked = this.asked.shift()
    if (status === '0') asked?.resolve()
    else asked?.reject(new Error(`a command ended with ${status}`))
  }

  /** The next command starts another shell. */
  private closed(): void {
    this.running = undefined
    const asked = this.asked
    this.asked = []
    for (const { reject } of asked) reject(new Error(`${this.program} ended early`))
  }
}
