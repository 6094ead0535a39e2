import { PasswordInput, Select } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useT } from '../../../lib/text/i18n.ts'
import { FieldHint } from '../../../ui/form/FieldHint.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import type { BoundFieldProps } from '../../../ui/form/types.ts'
import css from '../settings.module.css'
import {
  fitsMysqlFields,
  fitsPostgresFields,
  mysqlFields,
  mysqlString,
  postgresFields,
  postgresString,
  SSL_MODES,
} from './connection-strings.ts'

interface ConnectionFieldProps extends BoundFieldProps<string> {
  kind: 'connection_string' | 'dsn_string'
  label: string
  hint?: ReactNode
  disabled?: boolean
}

/** The connection to a database, as separate fields or as a connection string. */
export function ConnectionField({
  kind,
  label,
  hint,
  value = '',
  onChange,
  error,
  disabled,
  ...rest
}: ConnectionFieldProps) {
  const t = useT()
  // A string with other parts, such as a time limit, would lose them if it were written again from the fields.
  const [manual, setManual] = useState(
    () => !(kind === 'connection_string' ? fitsPostgresFields(value) : fitsMysqlFields(value)),
  )
  const fields = kind === 'connection_string' ? postgresFields(value) : { ...mysqlFields(value), sslmode: '' }
  const change = (part: Partial<typeof fields>) => {
    const next = { ...fields, ...part }
    onChange?.(kind === 'connection_string' ? postgresString(next) : mysqlString(next))
  }
  const text = (key: 'host' | 'port' | 'dbname' | 'user', name: string) => (
    <TextField
      label={name}
      value={fields[key]}
      disabled={disabled === true}
      onChange={(event) => change({ [key]: event.currentTarget.value })}
    />
  )
  return (
    <>
      <SwitchField
        label={kind === 'connection_string' ? t('Manually Configure String') : t('Enter DSN String')}
        checked={manual}
        onChange={(event) => setManual(event.currentTarget.checked)}
      />
      {manual ? (
        <TextField
          label={label}
          hint={hint}
          value={value}
          disabled={disabled === true}
          error={error}
          onChange={(event) => onChange?.(event.currentTarget.value)}
          {...rest}
        />
      ) : (
        <>
          <div className={css.pair}>
            {text('host', t('Host'))}
            {text('port', t('Port'))}
          </div>
          <div className={css.pair}>
            {text('dbname', t('DB Name'))}
            {kind === 'connection_string' && (
              <Select
                label={t('SSL Mode')}
                data={[{ value: ' ', label: t('Unset') }, ...SSL_MODES]}
                value={fields.sslmode === '' ? ' ' : fields.sslmode}
                disabled={disabled === true}
                allowDeselect={false}
                onChange={(mode) => change({ sslmode: (mode ?? '').trim() })}
              />
            )}
          </div>
          <div className={css.pair}>
            {text('user', t('User'))}
            <PasswordInput
              label={t('Password')}
              autoComplete="new-password"
              value={fields.password}
              disabled={disabled === true}
              onChange={(event) => change({ password: event.currentTarget.value })}
            />
          </div>
          <div {...rest}>
            <div className="small ink-3">{label}</div>
            <code className="small">{shown(value, fields.password)}</code>
            <FieldHint id={`${kind}-hint`} hint={hint} error={error} />
          </div>
        </>
      )}
    </>
  )
}

/** Returns the string for display, with the password masked. */
function shown(text: string, password: string): string {
  return password === '' ? text || '–' : text.replace(password, '•••')
}
