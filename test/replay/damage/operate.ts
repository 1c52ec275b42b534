/** Operators' actions over HTTP. */
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'

interface Done {
  readonly rows: readonly unknown[]
}

/** Carries an operator's action out, by the token in the data folder. Rejects with its refusal. */
export async function operate(
  url: string,
  data: string,
  name: string,
  given: object,
): Promise<Done> {
  const token = fs.readFileSync(path.join(data, 'operator-token'), 'utf8').trim()
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const { status, text } = await new Promise<{ status: number; text: string }>(
    (resolve, reject) => {
      // A separate connection: one that is kept may end while a slow machine does not look.
      const options = { method: 'POST', headers, agent: false } as const
      const request = http.request(`${url}/actions/${name}`, options, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      })
      request.on('error', reject).end(JSON.stringify(given))
    },
  )
  if (status !== 200) throw new Error(`${name} is refused: ${text}`)
  return JSON.parse(text) as Done
}
