import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { TOAST_MS, type Toast, toast, toasts } from '../lib/feedback/toast.ts'
import { useStore } from '../lib/store.ts'
import { useT } from '../lib/text/i18n.ts'
import { TechnicalDetails } from '../ui/feedback/Banner.tsx'
import { Icon } from '../ui/icons/Icon.tsx'
import { StatusIcon } from '../ui/icons/StatusIcon.tsx'
import css from './Toasts.module.css'

/** The snackbars at the bottom left. The region is always rendered, so that screen readers announce new messages. */
export function Toasts() {
  const t = useT()
  const shown = useStore(toasts)
  return (
    <section className={css.stack} aria-label={t('Messages')}>
      <div role="status">
        {shown
          .filter((one) => one.type === 'message')
          .map((one) => (
            <Snack key={one.id} toast={one} />
          ))}
      </div>
      <div role="alert">
        {shown
          .filter((one) => one.type === 'error')
          .map((one) => (
            <Snack key={one.id} toast={one} />
          ))}
      </div>
    </section>
  )
}

function Snack({ toast: { id, type, message, detail } }: { toast: Toast }) {
  const t = useT()
  const [held, setHeld] = useState(false)
  const left = useRef<number>(TOAST_MS[type])

  useEffect(() => {
    if (held) return
    const start = performance.now()
    const timer = setTimeout(() => toast.close(id), left.current)
    return () => {
      clearTimeout(timer)
      // Keep the message at least one more second after the pointer leaves, so that it does not vanish under the pointer.
      left.current = Math.max(1000, left.current - (performance.now() - start))
    }
  }, [held, id])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only stops the timer; the element is not a control
    <div
      className={css.snack}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className="grow">
        <StatusIcon state={type === 'error' ? 'bad' : 'ok'} className={css.message}>
          {message}
        </StatusIcon>{' '}
        {detail !== '' && <TechnicalDetails text={detail} />}
      </div>
      <ActionIcon aria-label={t('Close')} onClick={() => toast.close(id)}>
        <Icon of={IconX} />
      </ActionIcon>
    </div>
  )
}
