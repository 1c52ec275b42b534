/** A doorbell whose sleeper on an event loop is woken by the simulation, not by the kernel. */
import { DOORBELL_BYTES, Doorbell } from '../../../src/ring/doorbell.ts'

const AWAKE = 0
const ASLEEP = 1

export class FalseBell extends Doorbell {
  private readonly cell: Int32Array
  private onWake: (() => void) | undefined = undefined
  private asleep: Promise<void> | undefined = undefined

  constructor(memory: SharedArrayBuffer, byteOffset: number) {
    super(memory, byteOffset)
    this.cell = new Int32Array(memory, byteOffset, DOORBELL_BYTES >> 2)
  }

  override sleepAsync(hasWork: () => boolean): Promise<void> | undefined {
    Atomics.store(this.cell, 0, ASLEEP)
    if (hasWork()) {
      this.awake()
      return undefined
    }
    this.asleep ??= new Promise<void>((resolve) => {
      this.onWake = resolve
    }).then(() => {
      this.asleep = undefined
      this.awake()
    })
    return this.asleep
  }

  /** Whether a thread sleeps here and was rung. */
  get isRung(): boolean {
    return this.onWake !== undefined && Atomics.load(this.cell, 0) === AWAKE
  }

  wake(): void {
    this.onWake?.()
    this.onWake = undefined
  }
}
