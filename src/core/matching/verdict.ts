/** Whether what a command asks for is admitted, or why not. */
import type { RejectReason } from '../../base/codes.ts'

/** The verdict that is no RejectReason. */
export const ADMITTED = 0
export type Verdict = typeof ADMITTED | RejectReason
