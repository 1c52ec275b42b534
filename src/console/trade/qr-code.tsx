/** A text as a QR code, made in the page: no address leaves it. */
import type { JSX } from 'preact'
import qrcode from 'qrcode-generator'

/** Light modules around the code, as readers need them. */
const MARGIN = 4

export function QrCode({ text }: { readonly text: string }): JSX.Element {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const count = code.getModuleCount()
  const size = count + 2 * MARGIN
  let dark = ''
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      if (code.isDark(row, column)) dark += `M${column + MARGIN},${row + MARGIN}h1v1h-1z`
    }
  }
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={`QR code: ${text}`}>
      <path fill="#fff" d={`M0,0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={dark} />
    </svg>
  )
}
