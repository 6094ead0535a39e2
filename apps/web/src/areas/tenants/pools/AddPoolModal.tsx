import { NativeSelect } from '@mantine/core'
import { useForm } from '@mantine/form'
import { GiB } from '@stowage/contract'
import { nextPoolName } from '@stowage/contract/tenants/sizing'
import { useQuery } from '@tanstack/react-query'
import { useChange } from '../../../lib/changes/change.ts'
import { formatSize } from '../../../lib/text/format.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { ChangePreview, FormModal } from '../../../ui/dialog/FormModal.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { defaultAffinity } from '../cluster/affinity.ts'
import { storageClassesQuery } from '../cluster/storage-classes.ts'
import css from '../tenants.module.css'

interface AddPoolModalProps {
  namespace: string
  tenant: string
  /** Names of existing pools. */
  taken: readonly string[]
  onClose: () => void
}

/** The dialog to add servers to a tenant as a new pool. */
export function AddPoolModal({ namespace, tenant, taken, onClose }: AddPoolModalProps) {
  const t = useT()
  const form = useForm({ initialValues: { nodes: '4', size: '100', volumes: '4', storageClass: '' } })
  const { data: classes = [] } = useQuery(storageClassesQuery(namespace))
  const nodes = Number(form.values.nodes)
  const size = Number(form.values.size) * GiB
  const volumes = Number(form.values.volumes)
  const chosen = form.values.storageClass || classes[0]?.name || ''
  const sizeProblem = !(size >= GiB) && t('The pool size must be greater than 1Gi')
  const volumesProblem = !(volumes >= 1) && t('Number of drives must be at least 1')
  const nodesProblem = !(nodes >= 1) && t('Number of servers must be at least 1')
  const isWhole = [nodes, volumes].every(Number.isInteger)
  const add = useChange('addTenantPool', {
    onDone: onClose,
    message: () => t('{{name}}: pool added', { name: tenant }),
  })
  const name = nextPoolName(taken)
  return (
    <FormModal
      title={t('Add Pool')}
      subject={tenant}
      form={form}
      change={add}
      onClose={onClose}
      ready={!sizeProblem && !volumesProblem && !nodesProblem && isWhole}
      onSubmit={() =>
        add.run({
          params: { namespace, tenant },
          body: {
            name,
            servers: nodes,
            volumes_per_server: volumes,
            volume_configuration: {
              size: Math.round(size),
              ...(chosen ? { storage_class_name: chosen } : {}),
              labels: null,
            },
            affinity: defaultAffinity(tenant, name),
          },
        })
      }
    >
      <TextField
        label={t('Number o Nodes')}
        inputMode="numeric"
        data-autofocus
        {...form.getInputProps('nodes')}
        error={nodesProblem}
      />
      <TextField
        label={t('Volume Size (Gi)')}
        inputMode="numeric"
        {...form.getInputProps('size')}
        error={sizeProblem}
      />
      <TextField
        label={t('Volumes per Server')}
        inputMode="numeric"
        {...form.getInputProps('volumes')}
        error={volumesProblem}
      />
      <NativeSelect
        label={t('Storage Class')}
        data={classes.map((each) => each.name)}
        disabled={classes.length === 0}
        {...form.getInputProps('storageClass')}
        value={chosen}
      />
      {!sizeProblem && !volumesProblem && !nodesProblem && (
        <ChangePreview>
          <div className={css.pair}>
            <span>{t('Instance Capacity')}</span>
            <b>{formatSize(size * volumes)}</b>
          </div>
          <div className={css.pair}>
            <span>{t('Total Capacity')}</span>
            <b>{formatSize(size * volumes * nodes)}</b>
          </div>
        </ChangePreview>
      )}
    </FormModal>
  )
}
