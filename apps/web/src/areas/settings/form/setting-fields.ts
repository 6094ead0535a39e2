import { type FormField, findConfigForm } from '@stowage/contract/configs/config-forms'
import type { ConfigValue } from '@stowage/contract/configs/configs'

/** A field of a form, with the server's information about it. */
export interface SettingField extends FormField {
  /** The server's value; empty for a new target and for secrets. */
  readonly stored: string
  /** Whether the server has a value that it does not return, or not completely. */
  readonly isSecretSet: boolean
  /** The environment variable that sets it. */
  readonly variable?: string | undefined
  readonly unsupported: boolean
  /** Whether the field comes from the server's help instead of the specification. */
  readonly isExtra: boolean
  readonly description?: string | undefined
}

/** Returns the fields of a subsystem: those of its form, followed by the others that the server has. */
export function settingFields(subsystem: string, values: readonly ConfigValue[], isNew: boolean): SettingField[] {
  const form = findConfigForm(subsystem) ?? []
  const known = new Map(values.map((value) => [value.key, value]))
  const extras = values.filter(({ key }) => !form.some((field) => field.key === key))
  return [
    ...form.map((field) => withValue(field, known.get(field.key), isNew, false)),
    ...extras.map((value) => withValue({ key: value.key, type: settingType(value) }, value, isNew, true)),
  ]
}

function withValue(field: FormField, value: ConfigValue | undefined, isNew: boolean, isExtra: boolean): SettingField {
  return {
    ...field,
    stored: isNew ? '' : (value?.value ?? ''),
    isSecretSet: !isNew && value?.isSet === true,
    variable: isNew ? undefined : value?.variable,
    unsupported: value?.unsupported === true,
    isExtra,
    description: value?.description,
  }
}

function settingType({ type, secret }: ConfigValue): NonNullable<FormField['type']> {
  if (secret) return 'secret'
  if (type === 'on|off' || type === 'boolean' || type === 'bool') return 'switch'
  return type === 'csv' ? 'csv' : 'text'
}

export const isSwitchOn = (value: string) => /^(on|true|yes|enabled|1)$/i.test(value)

/** Returns the initial values of the form. */
export function initialSettingValues(fields: readonly SettingField[]): Record<string, string> {
  return Object.fromEntries(
    fields.map(({ key, stored, type, default: preset = '' }) => {
      const value = stored === '' ? preset : stored
      return [key, type === 'switch' ? (isSwitchOn(value) ? 'on' : 'off') : value]
    }),
  )
}

/**
 * Returns the values to save: form fields with a value, fields that were cleared, and other keys of the server that were
 * changed. Fields that were and are empty are omitted.
 * @param onlyChanged omit all fields that the user has not changed
 */
export function changedSettingValues(
  fields: readonly SettingField[],
  values: Readonly<Record<string, string>>,
  onlyChanged = false,
): { key: string; value: string }[] {
  const start = initialSettingValues(fields)
  return fields
    .filter(({ variable, unsupported }) => variable === undefined && !unsupported)
    .flatMap((field) => {
      const value = (values[field.key] ?? '').trim()
      const isChanged = value !== start[field.key]
      if ((field.isExtra || onlyChanged) && !isChanged) return []
      // A switch that is off and was never set remains unset.
      if (field.type === 'switch' && value === 'off' && field.stored === '') return []
      if (value === '' && field.stored === '') return []
      return [{ key: field.key, value }]
    })
}
