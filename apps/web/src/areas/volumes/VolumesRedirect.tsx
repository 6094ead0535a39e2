import { useEffect } from 'react'
import { navigate } from '../../lib/navigation/navigate.ts'

/** Redirects every other path below the storage page to the volumes. */
export function VolumesRedirect() {
  useEffect(() => navigate('/storage/volumes', { replace: true }), [])
  return null
}
