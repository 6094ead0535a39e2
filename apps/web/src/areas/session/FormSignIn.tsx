import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconEye, IconEyeOff, IconLock, IconUser } from '@tabler/icons-react'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { useT } from '../../lib/text/i18n.ts'
import { ProgressBar } from '../../ui/Gauge.tsx'
import { Icon } from '../../ui/Icon.tsx'
import css from './LoginPage.module.css'
import { useAttempt } from './use-attempt.ts'

/** User name and password. What was typed stays after a failure. */
export function FormSignIn({ onSignIn }: { onSignIn: (accessKey: string, secretKey: string) => Promise<void> }) {
  const t = useT()
  const [accessKey, setAccessKey] = useState('')
  const [secretKey, setSecretKey] = useState('')
  const [seen, setSeen] = useState(false)
  const [caps, setCaps] = useState(false)
  const { busy, attempt, field } = useAttempt()

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy || accessKey === '' || secretKey === '') return
    void attempt(() => onSignIn(accessKey, secretKey))
  }
  const watchCaps = (event: KeyboardEvent) => setCaps(event.getModifierState('CapsLock'))

  return (
    <form className={css.stack} onSubmit={submit}>
      <TextInput
        label={t('Enter Username')}
        name="accessKey"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        disabled={busy}
        value={accessKey}
        onChange={(event) => setAccessKey(event.currentTarget.value)}
        leftSection={<Icon of={IconUser} />}
        classNames={{ input: css.field ?? '' }}
      />
      <TextInput
        ref={field}
        label={t('Enter Password')}
        name="secretKey"
        type={seen ? 'text' : 'password'}
        autoComplete="current-password"
        disabled={busy}
        value={secretKey}
        onChange={(event) => setSecretKey(event.currentTarget.value)}
        onKeyUp={watchCaps}
        onBlur={() => setCaps(false)}
        description={caps ? t('Caps Lock is on') : undefined}
        leftSection={<Icon of={IconLock} />}
        rightSection={
          <ActionIcon
            aria-label={seen ? t('Hide password') : t('Show password')}
            aria-pressed={seen}
            disabled={busy}
            onClick={() => setSeen(!seen)}
          >
            <Icon of={seen ? IconEyeOff : IconEye} />
          </ActionIcon>
        }
        classNames={{ input: css.field ?? '' }}
      />
      <div className={css.submit}>
        <Button
          type="submit"
          variant="filled"
          size="lg"
          fullWidth
          disabled={busy || accessKey === '' || secretKey === ''}
        >
          {t('Login')}
        </Button>
        {busy && <ProgressBar share={undefined} label={t('Signing in')} />}
      </div>
    </form>
  )
}
