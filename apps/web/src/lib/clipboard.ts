import { useEffect, useRef, useState } from 'react'

/** How long the confirmation is shown (ms). */
const CONFIRMED_MS = 1500

/** Copies text to the clipboard. @returns whether it succeeded */
export async function copyText(text: string): Promise<boolean> {
  // Browsers provide it for secure origins only, not for http://192.168.1.2:9090.
  const clipboard: Clipboard | undefined = navigator.clipboard
  try {
    if (clipboard) {
      await clipboard.writeText(text)
      return true
    }
  } catch {
    // Not permitted; try the older method below.
  }
  return copySelection(text)
}

/** Copies by selecting the text in the page, for browsers without clipboard access. The focus does not move. */
function copySelection(text: string): boolean {
  const mark = document.createElement('span')
  mark.textContent = text
  mark.style.cssText = 'position:fixed;top:0;opacity:0;white-space:pre;user-select:text'
  // Copy plain text only: a selection would be copied with the page's styles.
  const asText = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
  }
  const selection = document.getSelection()
  const before = selection?.rangeCount ? selection.getRangeAt(0) : undefined
  document.body.append(mark)
  document.addEventListener('copy', asText)
  try {
    const range = document.createRange()
    range.selectNodeContents(mark)
    selection?.removeAllRanges()
    selection?.addRange(range)
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    document.removeEventListener('copy', asText)
    selection?.removeAllRanges()
    if (before) selection?.addRange(before)
    mark.remove()
  }
}

/** Returns a function that copies text, and its result for a moment after each use. */
export function useCopy() {
  const [result, setResult] = useState<'copied' | 'failed'>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = async (text: string) => {
    const copied = await copyText(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setResult(undefined), CONFIRMED_MS)
    setResult(copied ? 'copied' : 'failed')
  }
  return { copy: (text: string) => void copy(text), copied: result === 'copied', failed: result === 'failed' }
}
