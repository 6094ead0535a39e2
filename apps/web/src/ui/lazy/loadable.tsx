import { type ComponentType, type FunctionComponent, type ReactNode, useEffect } from 'react'
import { useStore } from '../../lib/store.ts'
import { CodeFailure, CodeFailureDialog } from './CodeFailure.tsx'
import { createLazyCode, type LazyCode } from './lazy-code.ts'

/** A component whose code is fetched when it is first shown, or earlier by `preload`. */
export type Loadable<P> = FunctionComponent<P> & { preload: () => Promise<void> }

/**
 * Returns a component whose code is loaded when it is first shown; until then it renders nothing. React's `lazy` is not used
 * because Suspense delays content after an empty fallback by 300 ms, and a dialog should open as soon as its code is loaded.
 * The router's `lazyRouteComponent` is not used because it reloads the app if an import fails, which would stop running
 * transfers. If the code cannot be loaded, an error with a Retry button is shown instead.
 */
export function loadable<P extends object>(load: () => Promise<ComponentType<P>>): Loadable<P> {
  return createLazyComponent(createLazyCode(load), (part) => <CodeFailure part={part} />)
}

/**
 * Returns a dialog whose code is loaded when it is first opened. If it cannot be loaded, a small dialog reports the error, and
 * the page remains unchanged.
 * @param close closes the dialog if it has no `onClose` property
 */
export function loadableDialog<P extends object>(
  load: () => Promise<ComponentType<P>>,
  close?: () => void,
): Loadable<P> {
  return createLazyComponent(createLazyCode(load), (part, props: P & { onClose?: () => void }) => (
    <CodeFailureDialog
      part={part}
      onClose={() => {
        part.forget()
        ;(close ?? props.onClose)?.()
      }}
    />
  ))
}

function createLazyComponent<P extends object>(
  part: LazyCode<ComponentType<P>>,
  failed: (part: LazyCode<ComponentType<P>>, props: P) => ReactNode,
): Loadable<P> {
  function Loadable(props: P) {
    const { value: Loaded, failure } = useStore(part.state)
    useEffect(() => {
      if (part.state.get().failure === undefined) void part.fetch()
      // Forgets the failure, so that the next opening, or one after sign-in, tries again.
      return part.forget
    }, [])
    if (Loaded) return <Loaded {...props} />
    return failure === undefined ? null : failed(part, props)
  }
  return Object.assign(Loadable, { preload: part.fetch })
}
