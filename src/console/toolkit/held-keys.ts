/**
 * A key that is held does a thing once. Browsers submit a form and press a button with each repetition of Enter, which
 * would send an order each time.
 */
document.addEventListener(
  'keydown',
  (event) => {
    const isTyped = event.target instanceof HTMLTextAreaElement
    if (event.repeat && event.key === 'Enter' && !isTyped) event.preventDefault()
  },
  { capture: true },
)
