/** Rules of the sandbox as methods of an embedded exchange. */
import type { Operate } from './operate.ts'
import type { VenueFaultRow, VenueFaults } from './options.ts'

export function venueFaults(operate: Operate): VenueFaults {
  let named = 0
  const unusedName = (rows: readonly VenueFaultRow[]): string => {
    const name = `fault-${++named}`
    return rows.some((row) => row.name === name) ? unusedName(rows) : name
  }
  const list = async () => (await operate('faults', {})).rows.map((row) => faultRowOf(row))
  return {
    async add({ name, ...rule }) {
      const own = name ?? unusedName(await list())
      await operate('fault-add', { name: own, ...rule })
      return own
    },
    list,
    remove: async (name) => {
      await operate('fault-remove', { name })
    },
    apply: async (rules) => {
      await operate('faults-apply', { rules })
    },
  }
}

function faultRowOf(row: Readonly<Record<string, unknown>>): VenueFaultRow {
  const { state, ...others } = row as unknown as VenueFaultRow & { readonly state: string }
  return { ...others, isOver: state === 'over' }
}
