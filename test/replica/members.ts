/** Members of a quorum as tests run them: each may follow and take over. */
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { eventually } from '../fixtures/eventually.ts'

/** Prepares a member that soon takes the lead, and soon gives up where it lost the quorum. */
export const prepareMember = (url: string): Promise<ExchangeProcess> =>
  ExchangeProcess.prepare([
    ...['--follow', url, '--promote-after', '1', '--gateways', '1'],
    ...['--matchers', '2', '--read-only-seconds', '2', '--replica-seconds', '6'],
  ])

/** Resolves to what the member says of its role; undefined while it does not answer. */
export async function roleOf(member: ExchangeProcess) {
  const response = await fetch(`${member.url}/ringbook/role`).catch(() => undefined)
  if (response === undefined) return undefined
  const body = (await response.json()) as { role: string; leader: string }
  return { status: response.status, ...body }
}

export const hasRole = (member: ExchangeProcess, wanted: string): Promise<true> =>
  eventually(`a ${wanted}`, async () => (await roleOf(member))?.role === wanted || undefined)
