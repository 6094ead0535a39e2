import { ActionIcon, Checkbox, NativeSelect } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../../lib/api/query.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import { ChoiceField } from '../../../../ui/form/ChoiceField.tsx'
import { FieldHint } from '../../../../ui/form/FieldHint.tsx'
import { Icon } from '../../../../ui/icons/Icon.tsx'
import css from '../../tenants.module.css'
import { type NodeLabel, nodeLabelsText, parseNodeLabels, type TenantDraft } from '../draft/tenant-draft.ts'
import { AddRowButton, TextRows, type WizardStepProps } from '../fields/WizardFields.tsx'

/** The step that selects the nodes on which servers may run. */
export function AffinityStep({ draft: { affinity }, set, problems }: WizardStepProps) {
  return (
    <PlacementFields
      placement={affinity}
      problem={problems.nodeSelectorLabels}
      onChange={(part) => set('affinity', part)}
    />
  )
}

interface Placement<Own extends string> extends Omit<TenantDraft['affinity'], 'podAffinity'> {
  podAffinity: TenantDraft['affinity']['podAffinity'] | Own
}

interface PlacementFieldsProps<Own extends string> {
  placement: Placement<Own>
  /** The problem of the labels. */
  problem: string | undefined
  /** One more choice, which comes first. */
  own?: { value: Own; label: string; hint: string } | undefined
  onChange: (part: Partial<Placement<Own>>) => void
}

/** The fields that select nodes. */
export function PlacementFields<Own extends string = never>(props: PlacementFieldsProps<Own>) {
  const { placement, problem, own, onChange } = props
  const t = useT()
  const { data: known = {} } = useQuery({ ...q('listNodeLabels', {}), retry: false })
  const labels = parseNodeLabels(placement.nodeSelectorLabels)
  const setLabels = (rows: readonly NodeLabel[]) => onChange({ nodeSelectorLabels: nodeLabelsText(rows) })
  return (
    <>
      <ChoiceField<Placement<Own>['podAffinity']>
        label={t('Pod Affinity')}
        choices={[
          ...(own ? [own] : []),
          { value: 'none', label: t('None'), hint: t('Servers run on any node; several servers may share a node.') },
          { value: 'default', label: t('Default (Pod Anti-Affinity)'), hint: t('At most one server on each node.') },
          { value: 'nodeSelector', label: t('Node Selector'), hint: t('Only on nodes with these labels.') },
        ]}
        value={placement.podAffinity}
        onChange={(podAffinity: Placement<Own>['podAffinity']) => onChange({ podAffinity })}
      />
      {placement.podAffinity === 'nodeSelector' && (
        <div className={css.group}>
          <Checkbox
            label={t('With Pod Anti-Affinity')}
            checked={placement.withPodAntiAffinity}
            onChange={(event) => onChange({ withPodAntiAffinity: event.currentTarget.checked })}
          />
          {Object.keys(known).length > 0 ? (
            <LabelRows known={known} labels={labels} onChange={setLabels} />
          ) : (
            <TextRows
              columns={[
                { label: t('Key'), values: labels.map(({ key }) => key) },
                { label: t('Value'), values: labels.map(({ value }) => value) },
              ]}
              add={t('Add Label')}
              onChange={([keys = [], values = []]) =>
                setLabels(keys.map((key, index) => ({ key, value: values[index] ?? '' })))
              }
            />
          )}
          {/* An error only after the user began to select labels. */}
          <FieldHint
            id="labels-error"
            hint={problem}
            error={placement.nodeSelectorLabels === '' ? undefined : problem}
          />
        </div>
      )}
    </>
  )
}

interface LabelRowsProps {
  known: Readonly<Record<string, readonly string[]>>
  labels: readonly NodeLabel[]
  onChange: (labels: readonly NodeLabel[]) => void
}

/** The fields for node labels, with those of the cluster as choices. */
function LabelRows({ known, labels, onChange }: LabelRowsProps) {
  const t = useT()
  const open = { value: '', label: t('Choose one') }
  const labelOptions = (names: readonly string[]) => [open, ...names.map((name) => ({ value: name, label: name }))]
  return (
    <>
      {labels.map(({ key, value }, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its position
        <div key={row} className={css.row}>
          <NativeSelect
            className={css.cell}
            label={t('Key')}
            data={labelOptions(Object.keys(known))}
            value={key}
            onChange={(event) => onChange(labels.with(row, { key: event.currentTarget.value, value: '' }))}
          />
          <NativeSelect
            className={css.cell}
            label={t('Value')}
            data={labelOptions(Object.hasOwn(known, key) ? (known[key] ?? []) : [])}
            value={value}
            onChange={(event) => onChange(labels.with(row, { key, value: event.currentTarget.value }))}
          />
          <ActionIcon
            className={css.remove ?? ''}
            aria-label={t('Remove')}
            disabled={labels.length === 1}
            onClick={() => onChange(labels.toSpliced(row, 1))}
          >
            <Icon of={IconTrash} />
          </ActionIcon>
        </div>
      ))}
      <AddRowButton label={t('Add Label')} onClick={() => onChange([...labels, { key: '', value: '' }])} />
    </>
  )
}
