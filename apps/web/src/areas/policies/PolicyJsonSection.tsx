import { Button } from '@mantine/core'
import { formatPolicy, policyFromJson } from '@stowage/iam-policy'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api/query.ts'
import { useChange } from '../../lib/changes/change.ts'
import { dropDraft, keepDraft, readDraft } from '../../lib/session/drafts.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../ui/controls/Disabled.tsx'
import { whileBusy } from '../../ui/controls/while-busy.tsx'
import { ConflictNotice, useEditBase } from '../../ui/dialog/ConflictNotice.tsx'
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

/** What was typed, and the policy that it changes. */
interface PolicyDraft {
  base: string
  text: string
}

const indentedPolicy = (stored: string) => formatPolicy(policyFromJson(stored), { indent: 2 })

function PolicyJsonForm({ name, stored }: { name: string; stored: string }) {
  const t = useT()
  const needs = useDisabledReason()
  const draftKey = `policy/${name}`
  const [draft] = useState(() => readDraft<PolicyDraft>(draftKey))
  // The policy that the text is based on: the one that was shown when the text was last equal to it.
  const [base, setBase] = useState(draft?.base ?? stored)
  const [text, setText] = useState(() => draft?.text ?? indentedPolicy(stored))
  const save = useChange('createPolicy', {
    onDone: ({ policy }) => {
      setBase(policy)
      dropDraft(draftKey)
    },
    message: () => t('Policy successfully updated'),
  })
  const { changedTo } = useEditBase(stored, save, 'getPolicy')
  // A refused save shows the stored policy; the next one is based on it.
  const before = changedTo !== undefined && save.error !== null ? changedTo : base
  const edit = (next: string) => {
    setText(next)
    if (next === indentedPolicy(base)) dropDraft(draftKey)
    else keepDraft(draftKey, { base, text: next } satisfies PolicyDraft)
  }
  return (
    <section className={css.raw} aria-label={t('Raw Policy')}>
      <div className={css.rawHead}>
        <h2 className="strong">{t('Raw Policy')}</h2>
      </div>
      <PolicyWorkbench label={t('Raw Policy')} hideLabel tall value={text} onChange={edit} />
      {changedTo !== undefined && save.error !== null && <ConflictNotice text={indentedPolicy(changedTo)} />}
      {save.error !== null && <FormError error={save.error} />}
      <div className={css.rawFoot}>
        <Button disabled={save.isPending} onClick={() => edit('')}>
          {t('Clear')}
        </Button>
        <Disabled reason={needs('admin:CreatePolicy')}>
          <Button
            variant="filled"
            {...whileBusy(save.isPending)}
            disabled={name.trim() === '' || text.trim() === ''}
            onClick={() => save.isPending || save.run({ body: { name, policy: text, before } })}
          >
            {t('Save')}
          </Button>
        </Disabled>
      </div>
    </section>
  )
}
