import { useEffect, useRef, useState } from 'react'

/** How long a copy is confirmed (ms). */
const CONFIRMED_MS = 1500

/** Puts a text on the clipboard. @returns whether it is there */
export async function copyText(text: string): Promise<boolean> {
  // Browsers have it on secure addresses only: not at http://192.168.1.2:9090.
  const clipboard: Clipboard | undefined = navigator.clipboard
  try {
    if (clipboard) {
      await clipboard.writeText(text)
      return true
    }
  } catch {
    // Not permitted; the other way may be.
  }
  return copySelection(text)
}

/** The way of before: selects the text in the page and copies the selection. The focus stays where it is. */
function copySelection(text: string): boolean {
  const mark = document.createElement('span')
  mark.textContent = text
  mark.style.cssText = 'position:fixed;top:0;opacity:0;white-space:pre;user-select:text'
  // As text alone: a selection would be copied with the styles of the page as well.
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

/** Copies, and says for a moment how that went. */
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
