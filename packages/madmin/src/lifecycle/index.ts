export { LifecycleError, readLifecycle, writeLifecycle } from './document.ts'
export { actionOf, type LifecycleAction, midnightAfter, type VersionFacts } from './due.ts'
export type { LifecycleFilter, LifecycleRule, LifecycleTransition, NoncurrentTransition } from './rule.ts'
