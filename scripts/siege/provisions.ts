/** What the preparation of an attack hands to its generator. */
/** An API key as `demo-keys.json` and the operator's acts give it. */
export interface KeyText {
  readonly account: string
  readonly apiKey: string
  /** Empty for a key whose private half no client holds. */
  readonly secretKey: string
}

export interface Provisions {
  readonly keys?: readonly KeyText[]
  readonly symbols?: readonly string[]
}
