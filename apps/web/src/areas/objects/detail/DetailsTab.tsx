import { ObjectFactsSection } from './FactsSection.tsx'
import { ObjectLockSection } from './LockSection.tsx'
import { ObjectMetadataSection } from './MetadataSection.tsx'
import type { ObjectSectionProps } from './section-props.ts'
import { ObjectTagsSection } from './TagsSection.tsx'

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
