import { ActionIcon, Checkbox, NativeSelect } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Tenant } from '@stowage/contract'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useConflictingValue, useFreshRead } from '../../../lib/api/fresh-read.ts'
import { q } from '../../../lib/api/query.ts'
import { useChange } from '../../../lib/changes/change.ts'
import { formatCount, formatSize } from '../../../lib/text/format.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import { DialogTitle, FormModal, scrollIntoFullView } from '../../../ui/dialog/FormModal.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { QueryView } from '../../../ui/feedback/QueryView.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import css from '../tenants.module.css'
import { FactList } from '../wizard/fields/FactList.tsx'
import { AddRowButton } from '../wizard/fields/WizardFields.tsx'
import { PlacementFields } from '../wizard/steps/AffinityStep.tsx'
import {
  mergePoolValues,
  newToleration,
  PLACEMENT_LABELS,
  type PoolValues,
  poolDifferences,
  poolProblems,
  poolValues,
  TAINT_EFFECTS,
  TOLERATION_OPERATORS,
  type TolerationRow,
  updatedPools,
} from './pool-form.ts'

interface EditPoolModalProps {
  namespace: string
  tenant: string
  /** The name of the pool. */
  name: string
  onClose: () => void
}

/** The dialog to edit what can be changed of a pool that exists. */
export function EditPoolModal({ namespace, tenant, name, onClose }: EditPoolModalProps) {
  const t = useT()
  const query = useFreshRead('getTenant', { params: { namespace, tenant } }, { refetchOnWindowFocus: false })
  const pool = query.data?.pools.find((each) => each.name === name)
  if (query.data && query.error === null && pool)
    return (
      <PoolEditor namespace={namespace} tenant={query.data} values={poolValues(pool)} name={name} onClose={onClose} />
    )
  return (
    <Dialog title={<DialogTitle title={t('Edit Pool')} subject={name} />} onClose={onClose}>
      <QueryView query={query}>{() => <PoolGone name={name} />}</QueryView>
    </Dialog>
  )
}

function PoolGone({ name }: { name: string }) {
  const t = useT()
  return <Banner kind="bad">{t('The tenant no longer has the pool {{pool}}.', { pool: name })}</Banner>
}

interface PoolEditorProps {
  namespace: string
  tenant: Tenant
  /** The pool's values. */
  values: PoolValues
  name: string
  onClose: () => void
}

function PoolEditor({ namespace, name, onClose, ...now }: PoolEditorProps) {
  const t = useT()
  // The state when the dialog was opened. The page reads the tenant again when the cluster reports a change.
  const [{ tenant: opened, values: opening }] = useState(now)
  const tenant = opened.name
  const params = { namespace, tenant }
  const form = useForm({ initialValues: opening })
  const { values } = form
  const save = useChange('setTenantPools', {
    onDone: onClose,
    message: () => t('Pool {{pool}} updated', { pool: name }),
  })
  const isConflict = save.error?.status === 409
  const theirs = useConflictingValue('getTenant', { params }, isConflict)
  const { data: fields } = useQuery({ ...q('listTenantFields', { query: { path: 'spec.pools' } }), retry: false })
  const hasRuntimeClass = !fields?.known || fields.fields.some((field) => field.name === 'runtimeClassName')
  const current = theirs ?? opened
  const pool = current.pools.find((each) => each.name === name)
  const problems = poolProblems(t, values)
  const text = (field: TextKey) => ({ ...form.getInputProps(field), error: problems[field] })
  const isReady = pool !== undefined && form.isDirty() && Object.keys(problems).length === 0
  return (
    <FormModal
      title={t('Edit Pool')}
      subject={name}
      wide
      form={form}
      // The conflict is shown with both states instead.
      change={isConflict && theirs && pool ? { ...save, error: null } : save}
      onClose={onClose}
      ready={isReady}
      onSubmit={() => {
        if (!pool) return
        const wanted = mergePoolValues(opening, values, poolValues(pool))
        const pools = updatedPools(tenant, name, wanted, current.pools)
        save.run({ params, body: { pools, generation: current.generation } })
      }}
    >
      {pool ? (
        <>
          <FactList
            label={t('Servers')}
            rows={[
              [t('Number of Servers'), formatCount(pool.servers)],
              [t('Volumes per Server'), formatCount(pool.volumes_per_server)],
              [t('Volume Size'), formatSize(pool.volume_configuration.size)],
              [t('Storage Class'), pool.volume_configuration.storage_class_name || '–'],
            ]}
          />
          <div className="small ink-3">
            {t('These are fixed when a pool is created. To get more servers or space, add a pool.')}
          </div>
        </>
      ) : (
        <PoolGone name={name} />
      )}
      <FormSection title={t('Resources')}>
        <div className={css.fields}>
          <TextField
            label={t('Memory Request (Gi)')}
            hint={t('Each server is placed on a node with this much memory.')}
            inputMode="decimal"
            data-autofocus
            {...text('memoryRequest')}
          />
          <TextField
            label={t('Memory Limit (Gi)')}
            hint={t('A server that uses more is restarted.')}
            inputMode="decimal"
            {...text('memoryLimit')}
          />
        </div>
      </FormSection>
      <FormSection title={t('Pod Placement')}>
        <PlacementFields
          placement={values.placement}
          problem={problems.nodeSelectorLabels}
          own={
            opening.placement.podAffinity === 'own'
              ? {
                  value: 'own',
                  label: t(PLACEMENT_LABELS.own),
                  hint: t('This pool has rules that only its YAML can show. They stay as they are.'),
                }
              : undefined
          }
          onChange={(part) => form.setFieldValue('placement', { ...values.placement, ...part })}
        />
      </FormSection>
      <FormSection title={t('Tolerations')}>
        <Tolerations
          rows={values.tolerations}
          problems={problems}
          onChange={(rows) => form.setFieldValue('tolerations', rows)}
        />
      </FormSection>
      <FormSection title={t('Security Context')}>
        <SwitchField
          label={t('Set a security context')}
          hint={t('Without it the defaults of the operator apply.')}
          checked={values.hasContext}
          onChange={(event) => form.setFieldValue('hasContext', event.currentTarget.checked)}
        />
        {values.hasContext && (
          <>
            <div className={css.fields}>
              <TextField label={t('Run As User')} inputMode="numeric" {...text('runAsUser')} />
              <TextField label={t('Run As Group')} inputMode="numeric" {...text('runAsGroup')} />
              <TextField label={t('FsGroup')} inputMode="numeric" {...text('fsGroup')} />
              <NativeSelect
                label={t('FsGroupChangePolicy')}
                data={[{ value: '', label: t('Default') }, 'Always', 'OnRootMismatch']}
                {...form.getInputProps('fsGroupChangePolicy')}
              />
            </div>
            <Checkbox label={t('Do not run as Root')} {...form.getInputProps('runAsNonRoot', { type: 'checkbox' })} />
          </>
        )}
      </FormSection>
      <FormSection title={t('Runtime Class')}>
        <TextField
          label={t('Runtime Class')}
          hint={
            hasRuntimeClass
              ? t('The name of a RuntimeClass of the cluster. Empty for the default.')
              : t('The operator of this cluster does not support it.')
          }
          disabled={!hasRuntimeClass}
          {...text('runtimeClassName')}
        />
      </FormSection>
      <Banner kind="info">{t('The operator restarts the servers of this pool to apply a change.')}</Banner>
      {theirs && pool && <PoolConflict opened={opening} values={values} now={poolValues(pool)} />}
    </FormModal>
  )
}

/** The fields whose value is a text. */
type TextKey = { [K in keyof PoolValues]: PoolValues[K] extends string ? K : never }[keyof PoolValues]

function FormSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={css.files}>
      <legend className="strong">{title}</legend>
      {children}
    </fieldset>
  )
}

/** Shows what another user has changed, beside the changes of this form. */
function PoolConflict({ opened, values, now }: { opened: PoolValues; values: PoolValues; now: PoolValues }) {
  const t = useT()
  const rows = poolDifferences(t, opened, values, now)
  return (
    <div ref={scrollIntoFullView}>
      <Banner kind="warn" title={t('The tenant was changed while you edited it')}>
        {t('Save again to apply your changes to the present state. Everything else stays as it is now.')}
        {rows.length > 0 && (
          <table className={css.conflict}>
            <thead>
              <tr>
                <th>{t('Field')}</th>
                <th>{t('Your change')}</th>
                <th>{t('As it is now')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ label, yours, theirs }) => (
                <tr key={label}>
                  <th scope="row">{t(label)}</th>
                  <td>{yours || '–'}</td>
                  <td>{theirs}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Banner>
    </div>
  )
}

interface TolerationsProps {
  rows: readonly TolerationRow[]
  problems: Readonly<Record<string, string>>
  onChange: (rows: TolerationRow[]) => void
}

/** The taints of nodes on which the servers may run in spite of them. */
function Tolerations({ rows, problems, onChange }: TolerationsProps) {
  const t = useT()
  return (
    <>
      {rows.length === 0 && (
        <div className="small ink-3">{t('Without tolerations, servers run only on nodes without taints.')}</div>
      )}
      {rows.map((row, index) => {
        const set = (part: Partial<TolerationRow>) => onChange([...rows].with(index, { ...row, ...part }))
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its position
          <div key={index} className={css.toleration}>
            <TextField
              label={t('Key')}
              // Without a key it tolerates every taint.
              placeholder={row.operator === 'Exists' ? t('All') : ''}
              value={row.key}
              error={problems[`key.${index}`]}
              onChange={(event) => set({ key: event.currentTarget.value })}
            />
            <NativeSelect
              label={t('Operator')}
              data={[...TOLERATION_OPERATORS]}
              value={row.operator}
              onChange={(event) => set({ operator: event.currentTarget.value, value: '' })}
            />
            <TextField
              label={t('Value')}
              value={row.value}
              disabled={row.operator === 'Exists'}
              onChange={(event) => set({ value: event.currentTarget.value })}
            />
            <NativeSelect
              label={t('Effect')}
              data={TAINT_EFFECTS.map((value) => ({ value, label: value || t('All') }))}
              value={row.effect}
              onChange={(event) => set({ effect: event.currentTarget.value })}
            />
            <TextField
              label={t('Seconds')}
              inputMode="numeric"
              value={row.seconds}
              error={problems[`seconds.${index}`]}
              onChange={(event) => set({ seconds: event.currentTarget.value })}
            />
            <ActionIcon aria-label={t('Remove')} onClick={() => onChange(rows.toSpliced(index, 1))}>
              <Icon of={IconTrash} />
            </ActionIcon>
          </div>
        )
      })}
      <AddRowButton label={t('Add Toleration')} onClick={() => onChange([...rows, newToleration])} />
    </>
  )
}
