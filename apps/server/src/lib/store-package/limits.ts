// Limits for callers who guess or flood, which store and console share.
export { GuessLimiter } from '@stowage/object-store/limits'
