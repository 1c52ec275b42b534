/** Colors of a terminal. Files, pipes and NO_COLOR get the text alone. */
import type { WriteStream } from 'node:tty'
import { styleText } from 'node:util'

type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow'

/** Returns the text in a style. */
export type Paint = (style: Style, text: string) => string

export const plain: Paint = (_, text) => text

const colored: Paint = (style, text) => styleText(style, text, { validateStream: false })

/** `hasColors` of a terminal goes by NO_COLOR, FORCE_COLOR, TERM and CI in the environment. */
export const paintFor = (
  stream: Pick<WriteStream, 'isTTY' | 'hasColors'>,
  environment: object = process.env,
): Paint => (stream.isTTY && stream.hasColors(environment) ? colored : plain)
