import { GiB } from '@stowage/contract/units'
import { formatSize } from '../../../lib/text/format.ts'
import { useT } from '../../../lib/text/i18n.ts'
import type { StepProps } from './Fields.tsx'
import type { Facts } from './facts.ts'
import { SizeFields, SizeTables } from './SizeFields.tsx'
import { SpreadTable } from './SpreadTable.tsx'
import { MIN_MEMORY, sizingOf } from './sizing.ts'
import { spreadOf } from './spread.ts'

/** The step for servers, drives, size and parity. */
export function SizeStep({ draft, set, problems, facts }: StepProps & { facts: Facts }) {
  const t = useT()
  const sizing = sizingOf(draft, facts)
  const { limitSize, maxAllocatableMemo } = sizing
  const spread = spreadOf(draft, facts, sizing)
  const isLimited = limitSize !== undefined && limitSize < Number.MAX_SAFE_INTEGER
  return (
    <>
      <SizeFields
        size={draft.tenantSize}
        problems={problems}
        parity={draft.advancedModeOn}
        memory={draft.advancedModeOn}
        onChange={(part) => set('tenantSize', part)}
      />
      {!draft.advancedModeOn && problems.memoryNode && <p role="alert">{problems.memoryNode}</p>}
      <SizeTables
        plan={sizing}
        more={[
          ...(draft.advancedModeOn ? [] : [[t('Memory per Node'), formatSize(MIN_MEMORY * GiB)] as const]),
          ...(maxAllocatableMemo === undefined
            ? []
            : [[t('Memory that each Node has'), formatSize(maxAllocatableMemo)] as const]),
          ...(isLimited ? [[t('Quota left'), formatSize(limitSize)] as const] : []),
        ]}
      />
      {spread && (
        <SpreadTable spread={spread} servers={sizing.distribution.nodes} drives={sizing.distribution.drives} />
      )}
    </>
  )
}
