import { FactsSection } from './FactsSection.tsx'
import { LockSection } from './LockSection.tsx'
import { MetadataSection } from './MetadataSection.tsx'
import type { SectionProps } from './section-props.ts'
import { TagsSection } from './TagsSection.tsx'

/** The properties of a version: facts, lock, tags and metadata, with buttons to change them. */
export function DetailsTab(props: SectionProps) {
  const { details } = props
  return (
    <>
      <FactsSection {...props} />
      {!details.is_delete_marker && (
        <>
          <LockSection {...props} />
          <TagsSection {...props} />
          <MetadataSection {...props} />
        </>
      )}
    </>
  )
}
