/** The package's decoder of SBE, `ringbook/sbe`: for programs and pages, without an exchange (docs/sbe.md). */
export { decode, SbeError } from './api/sbe/decode.ts'
export type { SbeMessage, SbeMessages } from './api/sbe/messages.gen.ts'
