import { useLocation } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type BrowserPlace, parseBrowserPlace } from '../../lib/navigation/object-address.ts'

/** The bucket, folder and object that the address names. */
export function useBrowserPlace(): BrowserPlace | undefined {
  const pathname = useLocation({ select: (place) => place.pathname })
  const search = useLocation({ select: (place) => place.searchStr })
  return useMemo(() => parseBrowserPlace(pathname, search), [pathname, search])
}
