import css from '../../ui/dialog/FormModal.module.css'

/** Lists the errors of a response that failed only in part. */
export function PartialErrors({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <div className={css.error} role="alert">
      {texts.map((text) => (
        <p key={text} className={css.message}>
          {text}
        </p>
      ))}
    </div>
  )
}
