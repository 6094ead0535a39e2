import { useEffect, useState } from 'react'

/** Pause after the browser has drawn something (ms). */
const PAUSE_MS = 300

/** Returns true soon after the browser has drawn what `isShown` shows: further calls then do not delay it. */
export function useAfterPaint(isShown: boolean): boolean {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => {
    if (!isShown) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setDrawn(true), PAUSE_MS)
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [isShown])
  return isDrawn
}
