import { useForm } from '@mantine/form'
import type { LifecycleBody } from '@stowage/contract'
import { useState } from 'react'
import { plural, useT } from '../../../lib/text/i18n.ts'
import { BulkDialog } from '../../../ui/dialog/BulkDialog.tsx'
import { FormModal, NO_FORM_CHANGE } from '../../../ui/dialog/FormModal.tsx'
import { LifecycleRuleFields } from './LifecycleRuleFields.tsx'
import {
  isLifecycleRuleReady,
  type LifecycleRuleValues,
  lifecycleRuleBody,
  NEW_LIFECYCLE_RULE,
} from './lifecycle-rule-values.ts'
import { RuleSimulation } from './RuleSimulation.tsx'

interface AddRuleToBucketsModalProps {
  buckets: readonly string[]
  onClose: () => void
}

/** The number of buckets whose simulation is shown; each one lists thousands of versions. */
const SIMULATED = 3

/** The dialog that adds a lifecycle rule to several buckets: first the rule and its simulation, then the results. */
export function AddRuleToBucketsModal({ buckets, onClose }: AddRuleToBucketsModalProps) {
  const t = useT()
  const form = useForm<LifecycleRuleValues>({ initialValues: NEW_LIFECYCLE_RULE })
  const [body, setBody] = useState<LifecycleBody>()
  const ready = isLifecycleRuleReady(form.values)
  const count = buckets.length
  const shown = buckets.slice(0, SIMULATED)

  if (body) {
    return (
      <BulkDialog
        title={t(plural('Add to {{count}} bucket', 'Add to {{count}} buckets'), { count })}
        body={t('The rule is added to these buckets. Their other rules stay.')}
        names={buckets}
        operation="addLifecycleRule"
        input={(bucket) => ({ params: { bucket }, body: { ...body, create_only: true } })}
        done={t('Added')}
        progress={(added, total) => t('{{added}} of {{total}} added', { added, total })}
        failed={(left) =>
          t(plural('{{count}} bucket does not have the rule', '{{count}} buckets do not have the rule'), {
            count: left,
          })
        }
        message={(added) =>
          t(plural('Lifecycle rule added to {{count}} bucket', 'Lifecycle rule added to {{count}} buckets'), {
            count: added,
          })
        }
        onClose={onClose}
      />
    )
  }
  return (
    <FormModal
      wide
      title={t('Add Lifecycle Rule')}
      subject={t(plural('{{count}} bucket', '{{count}} buckets'), { count })}
      form={form}
      change={NO_FORM_CHANGE}
      submit={t('Next')}
      ready={ready}
      onClose={onClose}
      onSubmit={(values) => setBody(lifecycleRuleBody(values))}
    >
      <LifecycleRuleFields form={form} isNew isVersioned />
      {ready &&
        shown.map((bucket) => (
          <section key={bucket} aria-label={bucket}>
            <h3 className="strong truncate">{bucket}</h3>
            <RuleSimulation bucket={bucket} body={lifecycleRuleBody(form.values)} />
          </section>
        ))}
      {ready && count > SIMULATED && (
        <p className="small ink-3">
          {t(plural('{{count}} more bucket is not simulated.', '{{count}} more buckets are not simulated.'), {
            count: count - SIMULATED,
          })}
        </p>
      )}
    </FormModal>
  )
}
