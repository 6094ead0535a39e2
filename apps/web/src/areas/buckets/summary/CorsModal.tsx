import { Button, Checkbox, Group, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Output } from '@stowage/contract'
import { CorsMethod } from '@stowage/contract/buckets/cors'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useChange } from '../../../lib/changes/change.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { ConflictNotice, useEditBase } from '../../../ui/dialog/ConflictNotice.tsx'
import { FormModal } from '../../../ui/dialog/FormModal.tsx'
import { NumberField, type NumberInput } from '../../../ui/form/NumberField.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import css from '../styles/buckets.module.css'

type CorsRuleItem = Output<'getBucketCors'>['rules'][number]

/** A rule while it is edited; lists have one entry per line. */
interface CorsDraft {
  id: string
  origins: string
  methods: string[]
  headers: string
  exposed: string
  maxAge: NumberInput
}

const emptyDraft: CorsDraft = { id: '', origins: '', methods: ['GET'], headers: '', exposed: '', maxAge: '' }

const corsDraft = (rule: CorsRuleItem): CorsDraft => ({
  id: rule.id ?? '',
  origins: rule.allowedOrigins.join('\n'),
  methods: rule.allowedMethods,
  headers: rule.allowedHeaders.join('\n'),
  exposed: rule.exposeHeaders.join('\n'),
  maxAge: rule.maxAgeSeconds ?? '',
})

const splitLines = (text: string) => text.split(/\s+/).filter((line) => line !== '')

const corsRule = ({ id, origins, methods, headers, exposed, maxAge }: CorsDraft) => ({
  ...(id === '' ? {} : { id }),
  allowedOrigins: splitLines(origins),
  allowedMethods: CorsMethod.options.filter((method) => methods.includes(method)),
  allowedHeaders: splitLines(headers),
  exposeHeaders: splitLines(exposed),
  ...(maxAge === '' ? {} : { maxAgeSeconds: maxAge }),
})

const isReady = ({ origins, methods, maxAge }: CorsDraft) =>
  splitLines(origins).length > 0 && methods.length > 0 && (maxAge === '' || (Number.isInteger(maxAge) && maxAge >= 0))

interface CorsModalProps {
  bucket: string
  rules: readonly CorsRuleItem[]
  onClose: () => void
}

/** The dialog to edit what pages of other origins may do with a bucket. */
export function CorsModal({ bucket, rules, onClose }: CorsModalProps) {
  const t = useT()
  const form = useForm({ initialValues: { rules: rules.length > 0 ? rules.map(corsDraft) : [emptyDraft] } })
  const drafts = form.values.rules
  const save = useChange('setBucketCors', {
    onDone: onClose,
    message: () => t('CORS rules of {{bucket}} updated', { bucket }),
  })
  const { before, changedTo } = useEditBase(rules, save, 'getBucketCors')
  return (
    <FormModal
      wide
      title={t('CORS Rules')}
      subject={bucket}
      form={form}
      change={save}
      onClose={onClose}
      ready={drafts.every(isReady)}
      onSubmit={() => save.run({ params: { bucket }, body: { rules: drafts.map(corsRule), before: [...before] } })}
      extra={
        <Button
          variant="subtle"
          leftSection={<Icon of={IconPlus} />}
          onClick={() => form.insertListItem('rules', emptyDraft)}
        >
          {t('Add Rule')}
        </Button>
      }
    >
      {changedTo && <ConflictNotice text={changedTo.map((rule) => JSON.stringify(rule, null, 2)).join('\n')} />}
      {drafts.length === 0 && (
        <p className="ink-2">{t('Without a rule, pages of other origins cannot read the bucket.')}</p>
      )}
      {drafts.map((_draft, index) => {
        const field = (name: keyof CorsDraft) => form.getInputProps(`rules.${index}.${name}`)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no other identity, and no state
          <fieldset key={index} className={css.rule}>
            <legend>{t('Rule {{number}}', { number: index + 1 })}</legend>
            <Textarea
              label={t('Allowed Origins')}
              description={t('One per line, such as https://www.example.com or https://*.example.com')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              autosize
              minRows={2}
              spellCheck={false}
              {...field('origins')}
            />
            <Checkbox.Group label={t('Allowed Methods')} {...field('methods')}>
              <Group gap={16} mt={6}>
                {CorsMethod.options.map((method) => (
                  <Checkbox key={method} value={method} label={method} />
                ))}
              </Group>
            </Checkbox.Group>
            <div className={css.pair}>
              <Textarea
                label={t('Allowed Headers')}
                description={t('Headers that a page may send; * for all')}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                autosize
                spellCheck={false}
                {...field('headers')}
              />
              <Textarea
                label={t('Exposed Headers')}
                description={t('Headers of the answer that a page may read')}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                autosize
                spellCheck={false}
                {...field('exposed')}
              />
            </div>
            <div className={css.ruleFoot}>
              <NumberField label={t('Max Age (seconds)')} min={0} {...field('maxAge')} />
              <Button
                variant="subtle"
                leftSection={<Icon of={IconTrash} />}
                onClick={() => form.removeListItem('rules', index)}
              >
                {t('Remove Rule')}
              </Button>
            </div>
          </fieldset>
        )
      })}
    </FormModal>
  )
}
