const WASM_PAGE_BYTES = 64 << 10

/** What is used of it: its types come with those of pages. */
declare const WebAssembly: {
  readonly Memory: new (pages: {
    readonly initial: number
    readonly maximum: number
    readonly shared: true
  }) => { readonly buffer: SharedArrayBuffer }
}

/**
 * Returns shared memory of at least so many bytes, all zero, that takes no room until it is written. Memory below
 * 32 MB that malloc had before it writes over with zeros, all of it: a second exchange in a process would
 * take what its books reserve. Throws RangeError when the system does not have so much.
 */
export function untouchedMemory(bytes: number): SharedArrayBuffer {
  const pages = Math.ceil(bytes / WASM_PAGE_BYTES)
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true }).buffer
  } catch {
    // More than 4 GiB, or no addresses are left: each of some 13,000 has 10 GiB of them.
    return new SharedArrayBuffer(bytes)
  }
}
