import type { ObjectDetails } from '@stowage/contract'

/** The version that a section of the details shows. */
export interface ObjectSectionProps {
  bucket: string
  name: string
  details: ObjectDetails
  /** Whether it is the latest version. */
  latest: boolean
}
