/** A global of Node.js in files whose types alone are imported here. Pages have none. */
declare global {
  var Buffer: {
    from(text: string): Uint8Array
    alloc(
      bytes: number,
    ): Uint8Array & { toString(encoding: 'latin1', from: number, to: number): string }
  }
}

export {}
