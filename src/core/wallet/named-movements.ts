/**
 * Movements that masters gave an id, the newest of them, so that one that is sent again moves nothing more (wallet.ts). The
 * archive knows the older ones. Engine and recovery add them alike.
 */
import type { AccountId } from '../../base/units.ts'
import type { MovementBlockFields } from '../../layout/accessors.gen.ts'
import type { ImageReader, ImageWriter } from '../../layout/image.ts'
import { MovementImage } from '../../layout/images.gen.ts'
import type { HashSink } from '../matching/hash-sink.ts'

export type Movement = Readonly<MovementBlockFields>

/** Of all masters: who finds an id that is forgotten here asks the archive. */
export const NAMED_MOVEMENTS_MAX = 1024

export class NamedMovements {
  /** By master and id, oldest first. */
  private readonly known = new Map<string, Movement>()
  private _forgottenId = 0

  /** The newest that is not known any more; 0 without one. */
  get forgottenId(): number {
    return this._forgottenId
  }

  of(master: AccountId, requestId: string): Movement | undefined {
    return this.known.get(keyOf(master, requestId))
  }

  add(movement: Movement): void {
    const { known } = this
    known.set(keyOf(movement.master, movement.requestId), movement)
    if (known.size <= NAMED_MOVEMENTS_MAX) return
    for (const [key, oldest] of known) {
      known.delete(key)
      this._forgottenId = oldest.movementId
      return
    }
  }

  write(image: ImageWriter): void {
    image.double(this._forgottenId)
    image.word(this.known.size)
    for (const movement of this.known.values()) MovementImage.write(image, movement)
  }

  read(image: ImageReader): void {
    this._forgottenId = image.double()
    for (let left = image.word(); left > 0; left--) this.add({ ...MovementImage.read(image) })
  }

  hash(sink: HashSink): void {
    sink.int(this._forgottenId)
    for (const [key, { movementId }] of this.known) {
      for (let i = 0; i < key.length; i++) sink.word(key.charCodeAt(i))
      sink.int(movementId)
    }
  }
}

const keyOf = (master: AccountId, requestId: string): string => `${master} ${requestId}`
