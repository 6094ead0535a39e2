export { LifecycleError, readLifecycle, writeLifecycle } from './document.ts'
export { findLifecycleAction, type LifecycleAction, midnightAfter, type VersionFacts } from './due.ts'
export type { LifecycleFilter, S3LifecycleRule, LifecycleTransition, NoncurrentTransition } from './rule.ts'
