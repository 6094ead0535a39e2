import { type ComponentType, type FunctionComponent, type ReactNode, useEffect } from 'react'
import { useStore } from '../../lib/store.ts'
import { PartFailure, PartFailureDialog } from './PartFailure.tsx'
import { createPart, type Part } from './part.ts'

/** A component whose code is fetched when it is first shown, or before. */
export type Loadable<P> = FunctionComponent<P> & { preload: () => Promise<void> }

/**
 * A component whose code is loaded when it is first shown; until then nothing is. Not React's `lazy`: Suspense holds back
 * what follows an empty fallback for 300 ms, and a dialog should open when its code is there. Not the router's
 * `lazyRouteComponent` for pages: it reloads the whole app when an import fails, which ends running transfers.
 * If it cannot be loaded, an error with a Retry button is shown in its place.
 */
export function loadable<P extends object>(load: () => Promise<ComponentType<P>>): Loadable<P> {
  return shownBy(createPart(load), (part) => <PartFailure part={part} />)
}

/**
 * A dialog whose code is loaded when it is first opened. If it cannot be loaded, a small dialog reports it, and the page
 * stays as it is.
 * @param close closes the dialog where its `onClose` does not
 */
export function loadableDialog<P extends object>(
  load: () => Promise<ComponentType<P>>,
  close?: () => void,
): Loadable<P> {
  return shownBy(createPart(load), (part, props: P & { onClose?: () => void }) => (
    <PartFailureDialog
      part={part}
      onClose={() => {
        part.forget()
        ;(close ?? props.onClose)?.()
      }}
    />
  ))
}

function shownBy<P extends object>(
  part: Part<ComponentType<P>>,
  failed: (part: Part<ComponentType<P>>, props: P) => ReactNode,
): Loadable<P> {
  function Loadable(props: P) {
    const { value: Loaded, failure } = useStore(part.state)
    useEffect(() => {
      if (part.state.get().failure === undefined) void part.fetch()
      // Try again each time the dialog is opened, and after sign-in.
      return part.forget
    }, [])
    if (Loaded) return <Loaded {...props} />
    return failure === undefined ? null : failed(part, props)
  }
  return Object.assign(Loadable, { preload: part.fetch })
}
