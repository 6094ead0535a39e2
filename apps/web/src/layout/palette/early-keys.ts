import { paletteOpen } from '../shell-state.ts'

/* What is typed after the palette was called for and before it is there: its code may still be on its way. */

let typed = ''

/** Keeps letters for the palette's field, and all keys from the page behind it. */
function keep(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'Escape') paletteOpen.set(false)
  else if (event.key === 'Backspace') typed = typed.slice(0, -1)
  else if (event.key.length === 1) typed += event.key
  event.preventDefault()
  event.stopPropagation()
}

/** From now on while the palette is wanted, until it takes them. @returns ends it, and the palette */
export function keepEarlyKeys(): () => void {
  const unsubscribe = paletteOpen.subscribe(() => {
    typed = ''
    if (paletteOpen.get()) document.addEventListener('keydown', keep, { capture: true })
    else document.removeEventListener('keydown', keep, { capture: true })
  })
  return () => {
    paletteOpen.set(false)
    unsubscribe()
  }
}

/** What was typed so far; the field, which has the focus now, gets the rest. */
export function takeEarlyKeys(): string {
  document.removeEventListener('keydown', keep, { capture: true })
  return typed
}
