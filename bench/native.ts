/**
 * The C++ side of the benchmarks: builds native-bench with make and runs its programs. Programs
 * print one JSON object on standard output; what they say on standard error is shown.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'

// This file is bench/native.ts or, compiled, dist/bench/native.js.
const folder = ['../native-bench', '../../native-bench']
  .map((relative) => path.resolve(import.meta.dirname, relative))
  .find((candidate) => existsSync(candidate))!

/** Builds what is out of date; answers the absolute path of the folder of programs. */
export async function buildNative(): Promise<string> {
  await output('make', ['--silent', '-C', folder])
  return path.join(folder, 'build')
}

/** Builds, runs the program of that name, and answers the JSON object that it printed. */
export async function runNative<Answer>(name: string, args: readonly string[]): Promise<Answer> {
  return JSON.parse(await output(path.join(await buildNative(), name), args))
}

async function output(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (code !== 0) throw new Error(`${path.basename(program)} ended with ${code ?? signal}`)
  return printed
}
