import { NativeSelect } from '@mantine/core'
import { formatSize } from '../../../../lib/text/format.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import { TextField } from '../../../../ui/form/TextField.tsx'
import css from '../../tenants.module.css'
import type { FieldProblems } from '../draft/draft-problems.ts'
import { type SizePlan, sizePlan } from '../draft/draft-sizing.ts'
import { type DraftSizeUnit, type TenantDraft, UNIT_BYTES } from '../draft/tenant-draft.ts'
import { FactList } from '../fields/FactList.tsx'

type Size = TenantDraft['tenantSize']

interface SizeFieldsProps {
  size: Size
  problems: FieldProblems
  /** Whether to offer fields for parity and memory. */
  parity: boolean
  memory: boolean
  /** Whether a dialog gives its first field the focus. */
  isFirst?: boolean
  onChange: (part: Partial<Size>) => void
}

/** The fields for the number of servers and drives, their size and parity. */
export function SizeFields({ size, problems, parity, memory, isFirst, onChange }: SizeFieldsProps) {
  const t = useT()
  const { ecParity, ecParityChoices } = sizePlan(size)
  return (
    <div className={css.fields}>
      <TextField
        label={t('Number of Servers')}
        data-autofocus={isFirst}
        inputMode="numeric"
        value={size.nodes}
        error={problems.nodes}
        onChange={(event) => onChange({ nodes: event.currentTarget.value, ecParity: '' })}
      />
      <TextField
        label={t('Number of Drives per Server')}
        inputMode="numeric"
        value={size.drivesPerServer}
        error={problems.drivesPerServer}
        onChange={(event) => onChange({ drivesPerServer: event.currentTarget.value, ecParity: '' })}
      />
      <div className={css.sized}>
        <TextField
          label={t('Total Size')}
          inputMode="decimal"
          value={size.volumeSize}
          error={problems.volumeSize}
          onChange={(event) => onChange({ volumeSize: event.currentTarget.value })}
        />
        <NativeSelect
          label={t('Unit')}
          data={Object.keys(UNIT_BYTES)}
          value={size.sizeFactor}
          onChange={(event) => onChange({ sizeFactor: event.currentTarget.value as DraftSizeUnit })}
        />
      </div>
      {memory && (
        <TextField
          label={t('Memory per Node [Gi]')}
          inputMode="numeric"
          value={size.memoryNode}
          error={problems.memoryNode}
          onChange={(event) => onChange({ memoryNode: event.currentTarget.value })}
        />
      )}
      {parity && (
        <NativeSelect
          label={t('Erasure Code Parity')}
          data={ecParityChoices}
          disabled={ecParityChoices.length === 0}
          value={ecParity ?? ''}
          onChange={(event) => onChange({ ecParity: event.currentTarget.value })}
        />
      )}
    </div>
  )
}

interface SizeTablesProps {
  plan: SizePlan
  /** More rows, if the cluster is known. */
  more?: readonly (readonly [label: string, value: string])[]
}

/** The resources that a size needs, and the capacity that results. */
export function SizeTables({ plan: { distribution, ecParityCalc }, more = [] }: SizeTablesProps) {
  const t = useT()
  if (distribution.problem) return null
  const drives = distribution.nodes * distribution.drives
  return (
    <div className={css.tables}>
      <FactsTable
        title={t('Resource Allocation')}
        rows={[
          [t('Number of Servers'), String(distribution.nodes)],
          [t('Drives per Server'), String(distribution.drives)],
          [t('Drive Capacity'), formatSize(distribution.size)],
          [t('Total Number of Volumes'), String(distribution.volumes)],
          ...more,
        ]}
      />
      {ecParityCalc && (
        <FactsTable
          title={t('Erasure Code Configuration')}
          rows={[
            [t('EC Parity'), ecParityCalc.parity],
            [t('Drives per Erasure Set'), String(ecParityCalc.set)],
            [t('Erasure Sets'), String(drives / ecParityCalc.set)],
            [t('Raw Capacity'), formatSize(ecParityCalc.raw)],
            [t('Usable Capacity'), formatSize(ecParityCalc.usable)],
            [t('Drive Failures to Tolerate per Set'), String(Number(ecParityCalc.parity.slice('EC:'.length)))],
            [t('Server Failures to Tolerate'), String(ecParityCalc.serverFailures)],
          ]}
        />
      )}
    </div>
  )
}

interface FactsTableProps {
  title: string
  rows: readonly (readonly [label: string, value: string])[]
}

function FactsTable({ title, rows }: FactsTableProps) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <FactList rows={rows} />
    </section>
  )
}
