import { t } from '../../lib/text/i18n.ts'
import { ErrorState } from '../../ui/feedback/states.tsx'
import { FolderView } from './folder/FolderView.tsx'
import { useBrowserLocation } from './use-browser-location.ts'

/** The page `/object-browser/{bucket}/{path}`: a folder and, in a drawer, the open object. */
export function BrowserPage() {
  const place = useBrowserLocation()
  if (!place) return <ErrorState error={new Error(t('The address has no bucket name'))} />
  // A new component for each folder, because input and selection belong to the previous one.
  return <FolderView key={`${place.bucket}/${place.prefix}`} place={place} />
}
