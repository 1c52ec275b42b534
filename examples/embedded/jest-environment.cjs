/**
 * An environment of Jest with an exchange: one for each test file, as the global `exchange`. Jest cannot import ESM packages
 * in a test, but loads its environment outside the tests' sandbox. So faked timers of a test do nothing to the exchange.
 */
const { TestEnvironment } = require('jest-environment-node')

module.exports = class ExchangeEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context)
    // testEnvironmentOptions of Jest's configuration: options of startExchange.
    this.options = config.projectConfig.testEnvironmentOptions
  }

  async setup() {
    await super.setup()
    const { startExchange } = await import('ringbook')
    this.global.exchange = await startExchange(this.options)
  }

  async teardown() {
    await this.global.exchange?.close()
    await super.teardown()
  }
}
