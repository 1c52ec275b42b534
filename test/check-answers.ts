/**
 * Loaded before every test file: whatever `fetch` brings from this machine is held to the OpenAPI
 * document on the way, so that every answer that any test sees is checked.
 */
const plainFetch = globalThis.fetch

globalThis.fetch = async (input, init) => {
  const response = await plainFetch(input, init)
  const { pathname, hostname } = new URL(response.url)
  if (hostname === '127.0.0.1' && /^\/s?api\//.test(pathname)) {
    const text = await response.clone().text()
    // Only few test files ask anything, and only they pay for the document.
    const { expectShape } = await import('./answer-shapes.ts')
    if (isJson(response) && text !== '') {
      expectShape(init?.method ?? 'GET', pathname, response.status, JSON.parse(text))
    }
  }
  return response
}

const isJson = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('application/json') ?? false
