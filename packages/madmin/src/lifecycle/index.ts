export { LifecycleError, readLifecycle, writeLifecycle } from './lifecycle-document.ts'
export { findLifecycleAction, type LifecycleAction, midnightAfter, type VersionFacts } from './lifecycle-action.ts'
export type { LifecycleFilter, S3LifecycleRule, LifecycleTransition, NoncurrentTransition } from './lifecycle-rule.ts'
