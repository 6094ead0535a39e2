import { type ComponentType, createElement, useEffect, useState } from 'react'

/**
 * A component whose code is loaded when it is first shown; until then nothing is. Not React's `lazy`: Suspense holds back
 * what follows an empty fallback for 300 ms, and a dialog should open when its code is there.
 * @param load is asked again the next time when it failed; the failure goes to the error boundary around
 */
export function loadable<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined
  return function Loadable(props: P) {
    const [state, setState] = useState<{ Part?: ComponentType<P>; failure?: unknown }>(loaded ? { Part: loaded } : {})
    useEffect(() => {
      let shown = true
      load().then(
        (Part) => {
          loaded = Part
          if (shown) setState({ Part })
        },
        (failure: unknown) => shown && setState({ failure }),
      )
      return () => {
        shown = false
      }
    }, [])
    if (state.failure) throw state.failure
    return state.Part ? createElement(state.Part, props) : null
  }
}
