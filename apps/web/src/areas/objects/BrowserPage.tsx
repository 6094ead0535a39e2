import { t } from '../../lib/text/i18n.ts'
import { ErrorState } from '../../ui/states.tsx'
import { Folder } from './Folder.tsx'
import { useBrowserPlace } from './use-place.ts'

/** `/object-browser/{bucket}/{path}`: a folder, and in a drawer beside it the object that the address names. */
export function BrowserPage() {
  const place = useBrowserPlace()
  if (!place) return <ErrorState error={new Error(t('The address has no bucket name'))} />
  // A folder of its own for each place: what was typed and selected belongs to the one before.
  return <Folder key={`${place.bucket}/${place.prefix}`} place={place} />
}
