import { useLocation } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type BrowserPlace, parseBrowserPlace } from '../../lib/navigation/object-address.ts'

/** Returns the bucket, folder and object of the current URL. */
export function useBrowserPlace(): BrowserPlace | undefined {
  const pathname = useLocation({ select: (place) => place.pathname })
  const search = useLocation({ select: (place) => place.searchStr })
  return useMemo(() => parseBrowserPlace(pathname, search), [pathname, search])
}
