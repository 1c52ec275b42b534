/** Where the quorum may be cut: behind the member that has least. */

export interface MemberNote {
  readonly member: string
  readonly address: string
  /** Its folder has all blocks up to this sequence. */
  readonly sequence: number
  /** Since it noted that. */
  readonly seconds: number
}

export interface Cut {
  /** Blocks up to this sequence may be removed. */
  readonly sequence: number
  /** Members that may then have to be seeded: silent for too long, or left out by name. */
  readonly leftBehind: readonly MemberNote[]
}

/** Returns where to cut; undefined when no member states what it has. */
export function cutOf(
  notes: readonly MemberNote[],
  silentHours: number,
  leftOut: readonly string[],
): Cut | undefined {
  const isKept = ({ member, seconds }: MemberNote) =>
    seconds < silentHours * 3_600 && !leftOut.includes(member)
  const kept = notes.filter(isKept)
  if (kept.length === 0) return undefined
  const sequence = Math.min(...kept.map((note) => note.sequence))
  const leftBehind = notes.filter((note) => !isKept(note) && note.sequence < sequence)
  return { sequence, leftBehind }
}
