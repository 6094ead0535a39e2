// Limits for callers who guess or flood, which store and console share.
export { FairQueue, type FairQueueOptions, GuessLimiter } from '@stowage/object-store/limits'
