export { findLifecycleAction, type LifecycleAction, midnightAfter, type VersionFacts } from './lifecycle-action.ts'
export { LifecycleError, readLifecycle, writeLifecycle } from './lifecycle-document.ts'
export type { LifecycleFilter, LifecycleTransition, NoncurrentTransition, S3LifecycleRule } from './lifecycle-rule.ts'
