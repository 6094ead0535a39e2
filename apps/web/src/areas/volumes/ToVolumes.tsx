import { useEffect } from 'react'
import { navigate } from '../../lib/navigation/navigate.ts'

/** Below the storage page every other path leads to the volumes. */
export function ToVolumes() {
  useEffect(() => navigate('/storage/volumes', { replace: true }), [])
  return null
}
