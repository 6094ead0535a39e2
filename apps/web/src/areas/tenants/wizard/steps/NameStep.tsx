import { Button, NativeSelect } from '@mantine/core'
import type { FormerTenant } from '@stowage/contract'
import type { ApiFailure } from '../../../../lib/api/api.ts'
import { invalidate } from '../../../../lib/api/query.ts'
import { change as makeChange } from '../../../../lib/changes/change.ts'
import { confirm } from '../../../../lib/feedback/confirm.ts'
import { formatSize } from '../../../../lib/text/format.ts'
import { plural, useT } from '../../../../lib/text/i18n.ts'
import { Trans } from '../../../../lib/text/Trans.tsx'
import { Link } from '../../../../ui/controls/Link.tsx'
import { Banner } from '../../../../ui/feedback/Banner.tsx'
import css from '../../tenants.module.css'
import type { TenantDraft } from '../draft/tenant-draft.ts'
import { StepField } from '../fields/StepField.tsx'
import type { WizardStepProps } from '../fields/WizardFields.tsx'

interface NameStepProps extends WizardStepProps {
  classes: readonly { name: string }[]
  /** Why the storage classes of the namespace could not be read; usually because it does not exist. */
  lookupError: ApiFailure | undefined
  /** A deleted tenant of this name and namespace that has volumes or secrets left. */
  former: FormerTenant | undefined
}

/** The step for name, namespace and storage class. */
export function NameStep({ draft: { nameTenant }, set, problems, classes, lookupError, former }: NameStepProps) {
  const t = useT()
  const { tenantName, namespace, selectedStorageClass } = nameTenant
  const change = (part: Partial<TenantDraft['nameTenant']>) => set('nameTenant', part)
  const create = () =>
    confirm({
      title: t('Create Namespace'),
      subject: namespace,
      body:
        lookupError?.status === 404 ? (
          <Trans text="The namespace <name/> does not exist yet. Create it?" parts={{ name: <b>{namespace}</b> }} />
        ) : (
          <Trans
            text="The namespace <name/> may exist, because its quota could not be read ({{reason}}). Create it?"
            values={{ reason: lookupError?.errorMessage ?? '' }}
            parts={{ name: <b>{namespace}</b> }}
          />
        ),
      action: t('Create'),
      run: async () => {
        await makeChange('createNamespace', { body: { name: namespace } })
        await invalidate('getResourceQuota', 'listNamespaceTenants')
      },
    })
  return (
    <>
      <StepField
        label={t('Tenant Name')}
        required
        value={tenantName}
        error={problems.tenantName}
        onChange={(event) => change({ tenantName: event.currentTarget.value })}
      />
      <div className={css.row}>
        <div className={css.cell}>
          <StepField
            label={t('Namespace')}
            required
            value={namespace}
            error={problems.namespace}
            onChange={(event) => change({ namespace: event.currentTarget.value })}
          />
        </div>
        {lookupError && (
          <Button className={css.beside ?? ''} onClick={create}>
            {t('Create namespace')}
          </Button>
        )}
      </div>
      {former && former.volumes > 0 && (
        <Banner kind="warn">
          <Trans
            text={plural(
              'A former tenant of this name left {{count}} volume of {{size}}. The new tenant will use it with its data. It can be deleted in <page/>.',
              'A former tenant of this name left {{count}} volumes of {{size}} in all. The new tenant will use them with their data. They can be deleted in <page/>.',
            )}
            values={{ count: former.volumes, size: formatSize(former.size) }}
            parts={{
              page: (
                <Link className="link" to="/storage/former-tenants">
                  {t('Former Tenants')}
                </Link>
              ),
            }}
          />
        </Banner>
      )}
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
