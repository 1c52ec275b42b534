/** For how many days rows stay in the archive: by the settings, or as is usual in this data folder. */
import type { RetentionSettings } from '../../archive/retention.ts'
import type { Config } from '../../config/config.ts'

/** Days of a demo, whose market makers place half a million orders a day. */
const DEMO_DAYS = 7

export type RetentionConfig = Pick<
  Config,
  'clock' | 'keepPublicTradeDays' | 'keepSecondBarDays' | 'keepOrderDays'
>

/** `isDemo`: the data folder was made as a demo. A venue, and a clock that is moved by weeks, keep everything by default. */
export function retentionOf(config: RetentionConfig, isDemo: boolean): RetentionSettings {
  const days = (setting: number | 'demo') => {
    if (setting !== 'demo') return setting
    return isDemo && config.clock === 'real' ? DEMO_DAYS : 0
  }
  return {
    publicTradeDays: days(config.keepPublicTradeDays),
    secondBarDays: days(config.keepSecondBarDays),
    orderDays: days(config.keepOrderDays),
  }
}
