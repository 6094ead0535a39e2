import { Button, NativeSelect } from '@mantine/core'
import { change as makeChange } from '../../../lib/api/change.ts'
import { invalidate } from '../../../lib/api/query.ts'
import { confirm } from '../../../lib/feedback/confirm.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import css from '../tenants.module.css'
import type { Draft } from './draft.ts'
import type { StepProps } from './Fields.tsx'

interface NameStepProps extends StepProps {
  classes: readonly { name: string }[]
  /** Whether the namespace must be created first. */
  isMissing: boolean
}

/** The step for name, namespace and storage class. */
export function NameStep({ draft: { nameTenant }, set, problems, classes, isMissing }: NameStepProps) {
  const t = useT()
  const { tenantName, namespace, selectedStorageClass } = nameTenant
  const change = (part: Partial<Draft['nameTenant']>) => set('nameTenant', part)
  const create = () =>
    confirm({
      title: t('Create Namespace'),
      subject: namespace,
      body: <Trans text="The namespace <name/> does not exist yet. Create it?" parts={{ name: <b>{namespace}</b> }} />,
      action: t('Create'),
      run: async () => {
        await makeChange('createNamespace', { body: { name: namespace } })
        await invalidate('getResourceQuota', 'listNamespaceTenants')
      },
    })
  return (
    <>
      <TextField
        label={t('Tenant Name')}
        value={tenantName}
        // An empty field is not reported.
        error={tenantName !== '' && problems.tenantName}
        onChange={(event) => change({ tenantName: event.currentTarget.value })}
      />
      <div className={css.row}>
        <div className={css.cell}>
          <TextField
            label={t('Namespace')}
            value={namespace}
            error={namespace !== '' && problems.namespace}
            onChange={(event) => change({ namespace: event.currentTarget.value })}
          />
        </div>
        {isMissing && (
          <Button className={css.remove ?? ''} onClick={create}>
            {t('Create namespace')}
          </Button>
        )}
      </div>
      <NativeSelect
        label={t('Storage Class')}
        data={classes.map(({ name }) => name)}
        disabled={classes.length === 0}
        value={selectedStorageClass}
        onChange={(event) => change({ selectedStorageClass: event.currentTarget.value })}
      />
    </>
  )
}
