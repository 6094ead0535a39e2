import { paletteOpen } from '../controls/shell-state.ts'

/* Buffers keys that the user types while the code of the palette is still loading. */

let typed = ''

/** Appends letters to the buffer, and keeps all keys from the page. */
function bufferKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'Escape') paletteOpen.set(false)
  else if (event.key === 'Backspace') typed = typed.slice(0, -1)
  else if (event.key.length === 1) typed += event.key
  event.preventDefault()
  event.stopPropagation()
}

/**
 * Starts to buffer keys whenever the palette is opened, until the palette takes them. @returns a function that stops this and
 * closes the palette
 */
export function keepEarlyKeys(): () => void {
  const unsubscribe = paletteOpen.subscribe(() => {
    typed = ''
    if (paletteOpen.get()) document.addEventListener('keydown', bufferKey, { capture: true })
    else document.removeEventListener('keydown', bufferKey, { capture: true })
  })
  return () => {
    paletteOpen.set(false)
    unsubscribe()
  }
}

/** Returns the keys typed so far and stops buffering; the palette's field has the focus now. */
export function takeEarlyKeys(): string {
  document.removeEventListener('keydown', bufferKey, { capture: true })
  return typed
}
