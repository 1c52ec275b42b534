/** What an operator may do; each role includes the ones before it. */
export const roles = ['watch', 'support', 'admin'] as const
export type Role = (typeof roles)[number]
