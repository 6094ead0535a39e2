import { Button } from '@mantine/core'
import { formatPolicy, policyFromJson } from '@stowage/iam-policy'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api/query.ts'
import { useChange } from '../../lib/changes/change.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../ui/controls/Disabled.tsx'
import { whileBusy } from '../../ui/controls/while-busy.tsx'
import { FormError } from '../../ui/dialog/FormModal.tsx'
import { QueryView } from '../../ui/feedback/QueryView.tsx'
import css from './policies.module.css'
import { PolicyWorkbench } from './workbench/PolicyWorkbench.tsx'

/** The editor for the JSON of a policy. */
export function PolicyJsonSection({ policy: name }: { policy: string }) {
  const query = useQuery(q('getPolicy', { query: { name } }))
  return (
    <QueryView query={query} needs={{ action: 'admin:GetPolicy' }}>
      {({ policy }) => <PolicyJsonForm name={name} stored={policy} />}
    </QueryView>
  )
}

function PolicyJsonForm({ name, stored }: { name: string; stored: string }) {
  const t = useT()
  const needs = useDisabledReason()
  const [text, setText] = useState(() => formatPolicy(policyFromJson(stored), { indent: 2 }))
  const save = useChange('createPolicy', { message: () => t('Policy successfully updated') })
  return (
    <section className={css.raw} aria-label={t('Raw Policy')}>
      <div className={css.rawHead}>
        <h2 className="strong">{t('Raw Policy')}</h2>
      </div>
      <PolicyWorkbench label={t('Raw Policy')} hideLabel tall value={text} onChange={setText} />
      {save.error !== null && <FormError error={save.error} />}
      <div className={css.rawFoot}>
        <Button disabled={save.isPending} onClick={() => setText('')}>
          {t('Clear')}
        </Button>
        <Disabled reason={needs('admin:CreatePolicy')}>
          <Button
            variant="filled"
            {...whileBusy(save.isPending)}
            disabled={name.trim() === '' || text.trim() === ''}
            onClick={() => save.isPending || save.run({ body: { name, policy: text } })}
          >
            {t('Save')}
          </Button>
        </Disabled>
      </div>
    </section>
  )
}
