import { Button } from '@mantine/core'
import type { Output } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { change } from '../../../lib/changes/change.ts'
import { confirm } from '../../../lib/feedback/confirm.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Disabled } from '../../../ui/controls/Disabled.tsx'
import { QueryView } from '../../../ui/feedback/QueryView.tsx'
import { useKubePermissions } from '../cluster/use-kube-permissions.tsx'
import css from '../tenants.module.css'
import { fieldProblems } from '../wizard/draft/draft-problems.ts'
import { newTenantDraft } from '../wizard/draft/tenant-draft.ts'
import { AD_FIELDS, OIDC_FIELDS } from '../wizard/draft/wizard-fields.ts'
import { IdentityProviderFields, type IdentityProviderValues } from '../wizard/steps/IdentityProviderFields.tsx'

interface Params {
  namespace: string
  tenant: string
}

/** The identity provider of a tenant. */
export function TenantIdentitySection(params: Params) {
  const query = useQuery(q('getTenantIdentityProvider', { params }))
  return (
    <QueryView query={query}>
      {(data) => <IdentityForm key={JSON.stringify(data)} params={params} data={data} />}
    </QueryView>
  )
}

const EMPTY = newTenantDraft().identityProvider
/** Without the address, which is part of the configuration URL. */
const FIELDS = OIDC_FIELDS.filter(({ key }) => key !== 'url')

function IdentityForm({ params, data }: { params: Params; data: Output<'getTenantIdentityProvider'> }) {
  const t = useT()
  const now: IdentityProviderValues['idpSelection'] = data.oidc ? 'OpenID' : data.active_directory ? 'AD' : 'Built-in'
  const [values, setValues] = useState<IdentityProviderValues>({
    idpSelection: now,
    openID: { ...EMPTY.openID, ...data.oidc },
    activeDirectory: { ...EMPTY.activeDirectory, ...data.active_directory },
  })
  const { idpSelection: selected, openID, activeDirectory: directory } = values
  const refused = useKubePermissions(['update secrets', 'deletecollection pods'], params.namespace)
  // The secret that the tenant already has is kept.
  const fields = now === 'OpenID' ? FIELDS.map((each) => (each.secret ? { ...each, required: false } : each)) : FIELDS
  const problems =
    selected === 'OpenID'
      ? fieldProblems(t, fields, openID)
      : selected === 'AD'
        ? fieldProblems(t, AD_FIELDS, directory)
        : {}
  const { url: _, ...oidc } = openID
  const body = selected === 'OpenID' ? { oidc } : selected === 'AD' ? { active_directory: directory } : {}
  const ask = () =>
    confirm({
      title: t('Save and Restart'),
      subject: params.tenant,
      body: t('The pods of the tenant start again. Users who signed in there with the old provider are signed out.'),
      action: t('Save and Restart'),
      run: () =>
        change(
          'updateTenantIdentityProvider',
          { params, body },
          { message: () => t('Identity provider of {{name}} updated', { name: params.tenant }) },
        ),
    })
  return (
    <div className={css.body}>
      <IdentityProviderFields
        values={values}
        problems={problems}
        oidcFields={fields}
        builtIn={<p className="ink-2">{t('The tenant uses its own users.')}</p>}
        onChange={(part) => setValues((before) => ({ ...before, ...part }))}
      />
      {selected !== 'Built-in' && selected === now && (
        <p className="ink-2">{t('Secrets are not shown. Leave a field empty to keep its secret.')}</p>
      )}
      <div className={css.row}>
        <Disabled reason={refused('update secrets') || refused('deletecollection pods')}>
          <Button variant="filled" disabled={Object.keys(problems).length > 0} onClick={ask}>
            {t('Save')}
          </Button>
        </Disabled>
      </div>
    </div>
  )
}
