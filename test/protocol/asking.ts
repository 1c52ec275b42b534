/** Calls operations and reads their answers; each test file names the operations that it must call. */
import { expect } from 'vitest'
import { FakeContext } from '../../bench/workloads/fake-context.ts'
import type { Operation } from '../../src/api/operations/index.ts'
import { type FakeResponder, type RequestOptions, send } from './fake-responder.ts'

/** Remembers which operations were called. */
export class Asking {
  private readonly asked = new Set<string>()

  ask(context: FakeContext, id: string, query = '', options: RequestOptions = {}): FakeResponder {
    this.asked.add(id)
    return send(context, id, query, options)
  }

  /** For operations that are answered at once, with 200. */
  now(id: string, query = '', options: RequestOptions = {}, context = new FakeContext()): unknown {
    return bodyOf(this.ask(context, id, query, options))
  }

  expectAllOf(operations: readonly Operation[]): void {
    const missed = operations.map(({ id }) => id).filter((id) => !this.asked.has(id))
    expect(missed, 'operations that no case asks').toEqual([])
  }
}

/** What was answered with 200. */
export function bodyOf(responder: FakeResponder): unknown {
  expect(responder.answer?.status).toBe(200)
  return JSON.parse(responder.answer?.body as string)
}

/** When promises that are already resolved have continued. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
