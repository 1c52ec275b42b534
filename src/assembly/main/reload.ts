/**
 * What an operator's reload reads again: the TLS certificate, and some settings of the file. All of it is
 * checked before any of it is in force.
 */
import type { Logger } from 'pino'
import { StartError } from '../../base/start-error.ts'
import type { Config } from '../../config/config.ts'
import { settings } from '../../config/settings.ts'
import type { Reread } from '../../control/action.ts'
import { type AlertTargets, readAlertFile, targetsText } from './alert-file.ts'
import { checkTls } from './tls-files.ts'

/** Settings that are in force once they are read. */
const RELOADED = ['trustedProxies', 'exemptAddresses', 'sbe'] as const

const NOTHING =
  'There is nothing to read again: no TLS (--tls-cert), no file of alerts (--alerts), no --config.'

const shown = (text: string): string => (text === '' ? 'none' : text)

export class Reload {
  private readonly started: Config
  private readonly readAgain: (() => Config) | undefined
  private readonly log: Pick<Logger, 'info' | 'warn'>
  private inForce: Pick<Config, (typeof RELOADED)[number]>
  /** Where alerts go; undefined without a file of them. */
  targets: AlertTargets | undefined = undefined
  /** End of the certificate in force, ms since 1970; undefined without TLS. */
  certificateEndMs: number | undefined = undefined

  /** `readAgain` reads the settings of the start with their file as it is now; undefined without a file. */
  constructor(
    started: Config,
    readAgain: (() => Config) | undefined,
    log: Pick<Logger, 'info' | 'warn'>,
  ) {
    const { trustedProxies, exemptAddresses, sbe } = started
    this.started = started
    this.readAgain = readAgain
    this.log = log
    this.inForce = { trustedProxies, exemptAddresses, sbe }
  }

  /** The settings in force. */
  get config(): Config {
    return { ...this.started, ...this.inForce }
  }

  /** Changes nothing. Throws ConfigError or StartError with one sentence. */
  read(): Reread {
    const certificateEndMs = checkTls(this.started, (sentence) => this.log.warn(sentence))
    const hasTls = certificateEndMs !== undefined
    const { alerts } = this.started
    if (!hasTls && alerts === '' && this.readAgain === undefined) {
      throw new StartError(NOTHING)
    }
    const targets = alerts === '' ? undefined : readAlertFile(alerts)
    const found = this.readAgain?.() ?? this.config
    const { trustedProxies, exemptAddresses, sbe } = found
    const told = targets === undefined ? [] : [targetsText(targets)]
    const said = [this.sentences(hasTls, found), ...told].join(' ').trim()
    const takeAlerts = () => {
      this.targets = targets
    }
    return {
      hasTls,
      trustedProxies,
      exemptAddresses,
      sbe,
      said,
      ...(targets && { takeAlerts }),
      ...(hasTls && { certificateEndMs }),
    }
  }

  /** They are in force. */
  note({ trustedProxies, exemptAddresses, sbe, certificateEndMs, takeAlerts }: Reread): void {
    takeAlerts?.()
    this.certificateEndMs = certificateEndMs
    this.inForce = { trustedProxies, exemptAddresses, sbe }
    this.log.info(this.inForce, 'read again')
  }

  /** Reads what a start must be able to read. Throws StartError. */
  begin(): void {
    const { alerts } = this.started
    if (alerts !== '') this.targets = readAlertFile(alerts)
  }

  private sentences(hasTls: boolean, found: Config): string {
    const said = hasTls ? ['New connections get the certificate that is in its file.'] : []
    if (this.readAgain === undefined) return said.join(' ')
    for (const name of RELOADED) {
      const { flag } = settings[name]
      const [before, after] = [this.inForce[name], found[name]].map(shown)
      said.push(before === after ? `${flag} is as before.` : `${flag} was ${before}, is ${after}.`)
    }
    const names = Object.keys(settings) as (keyof Config)[]
    const later = names.filter(
      (name) => !RELOADED.some((it) => it === name) && found[name] !== this.started[name],
    )
    const flags = later.map((name) => settings[name].flag).join(', ')
    if (flags !== '') said.push(`Only a start reads other changes: ${flags}.`)
    return said.join(' ')
  }
}
