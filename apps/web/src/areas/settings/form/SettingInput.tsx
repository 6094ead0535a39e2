import { NumberInput, PasswordInput, Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useT } from '../../../lib/text/i18n.ts'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { ConnectionField } from './ConnectionField.tsx'
import { CsvField } from './CsvField.tsx'
import type { SettingField } from './setting-fields.ts'
import { CHOICE_LABELS, settingLabel } from './setting-labels.ts'

export type SettingValues = Record<string, string>

interface SettingInputProps {
  subsystem: string
  field: SettingField
  form: UseFormReturnType<SettingValues>
}

/**
 * The input of a key, according to its type. Disabled if an environment variable sets the key or the server does not have it.
 */
export function SettingInput({ subsystem, field, form }: SettingInputProps) {
  const t = useT()
  const { key, type = 'text', variable, unsupported, isSecretSet } = field
  const label = settingLabel(subsystem, key)
  const name = label === undefined ? key : t(label)
  const props = form.getInputProps(key)
  const locked =
    variable === undefined
      ? unsupported && t('This server does not have this key')
      : t('Set by the environment variable {{variable}} of the server', { variable })
  const disabled = locked !== false
  const kept = isSecretSet ? t('A value is stored and not shown. Leave the field empty to keep it.') : undefined
  // Descriptions from the server are in English, in any language of the page.
  const help = field.isExtra && field.description ? <span lang="en">{field.description}</span> : undefined
  const hint = locked || kept || help
  if (key === 'connection_string' || key === 'dsn_string') {
    return <ConnectionField kind={key} label={name} hint={hint} disabled={disabled} {...props} />
  }
  switch (type) {
    case 'switch':
      return (
        <SwitchField
          label={name}
          hint={hint}
          disabled={disabled}
          checked={props.value === 'on'}
          onChange={(event) => form.setFieldValue(key, event.currentTarget.checked ? 'on' : 'off')}
        />
      )
    case 'csv':
      return <CsvField label={name} hint={hint} disabled={disabled} {...props} />
    case 'number':
      return (
        <NumberInput
          label={name}
          description={hint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          disabled={disabled}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          {...props}
          onChange={(value) => form.setFieldValue(key, String(value))}
        />
      )
    case 'choice':
      return (
        <Select
          label={name}
          description={hint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          disabled={disabled}
          clearable={!field.required}
          data={(field.choices ?? []).map((value) => ({ value, label: choiceLabel(`${key}.${value}`, value) }))}
          {...props}
          value={props.value === '' ? null : props.value}
          onChange={(value) => form.setFieldValue(key, value ?? '')}
        />
      )
    case 'secret':
      // An address that contains a password is shown without it, so that the rest can be edited.
      if (key === 'url') return <TextField label={name} hint={hint} disabled={disabled} {...props} />
      return (
        <PasswordInput
          label={name}
          description={hint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="new-password"
          disabled={disabled}
          {...props}
        />
      )
    default:
      return <TextField label={name} hint={hint} disabled={disabled} {...props} />
  }

  function choiceLabel(id: string, value: string): string {
    const text = Object.hasOwn(CHOICE_LABELS, id) ? CHOICE_LABELS[id] : undefined
    return text === undefined ? value : t(text)
  }
}
