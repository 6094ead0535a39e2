import { ObjectFactsSection } from './ObjectFactsSection.tsx'
import { ObjectLockSection } from './ObjectLockSection.tsx'
import { ObjectMetadataSection } from './ObjectMetadataSection.tsx'
import { ObjectTagsSection } from './ObjectTagsSection.tsx'
import type { ObjectSectionProps } from './section-props.ts'

/** The properties of a version: facts, lock, tags and metadata, with buttons to change them. */
export function DetailsTab(props: ObjectSectionProps) {
  const { details } = props
  return (
    <>
      <ObjectFactsSection {...props} />
      {!details.is_delete_marker && (
        <>
          <ObjectLockSection {...props} />
          <ObjectTagsSection {...props} />
          <ObjectMetadataSection {...props} />
        </>
      )}
    </>
  )
}
