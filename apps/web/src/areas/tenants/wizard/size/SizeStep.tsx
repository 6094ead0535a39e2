import { GiB } from '@stowage/contract/values/units'
import { formatSize } from '../../../../lib/text/format.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import type { ClusterFacts } from '../draft/cluster-facts.ts'
import { draftSizing, MIN_MEMORY_GIB } from '../draft/draft-sizing.ts'
import type { WizardStepProps } from '../fields/WizardFields.tsx'
import { ServerSpreadTable } from './ServerSpreadTable.tsx'
import { SizeFields, SizeTables } from './SizeFields.tsx'
import { serverSpread } from './server-spread.ts'

/** The step for servers, drives, size and parity. */
export function SizeStep({ draft, set, problems, facts }: WizardStepProps & { facts: ClusterFacts }) {
  const t = useT()
  const sizing = draftSizing(draft, facts)
  const { limitSize, maxAllocatableMemo } = sizing
  const spread = serverSpread(draft, facts, sizing)
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
          ...(draft.advancedModeOn ? [] : [[t('Memory per Node'), formatSize(MIN_MEMORY_GIB * GiB)] as const]),
          ...(maxAllocatableMemo === undefined
            ? []
            : [[t('Memory that each Node has'), formatSize(maxAllocatableMemo)] as const]),
          ...(isLimited ? [[t('Quota left'), formatSize(limitSize)] as const] : []),
        ]}
      />
      {spread && (
        <ServerSpreadTable spread={spread} servers={sizing.distribution.nodes} drives={sizing.distribution.drives} />
      )}
    </>
  )
}
