import { useLocation } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type BrowserLocation, parseBrowserLocation } from '../../lib/navigation/object-address.ts'

/** Returns the bucket, folder and object of the current URL. */
export function useBrowserLocation(): BrowserLocation | undefined {
  const pathname = useLocation({ select: (place) => place.pathname })
  const search = useLocation({ select: (place) => place.searchStr })
  return useMemo(() => parseBrowserLocation(pathname, search), [pathname, search])
}
