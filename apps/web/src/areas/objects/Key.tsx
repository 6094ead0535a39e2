import { ObjectName } from '../../ui/ObjectName.tsx'

/** A key or prefix in a sentence. */
export function KeyCode({ name }: { name: string }) {
  return (
    <code>
      <ObjectName name={name} />
    </code>
  )
}
