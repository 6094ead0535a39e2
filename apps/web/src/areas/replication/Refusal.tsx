import css from '../../ui/FormModal.module.css'

/** What an answer that is no failure as a whole says of its parts. */
export function Refusal({ texts }: { texts: readonly string[] }) {
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
