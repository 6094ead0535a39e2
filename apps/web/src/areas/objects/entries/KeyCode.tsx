import { ObjectName } from '../../../ui/values/ObjectName.tsx'

/** A key or prefix in a sentence. */
export function KeyCode({ name }: { name: string }) {
  return (
    <code>
      <ObjectName name={name} />
    </code>
  )
}
