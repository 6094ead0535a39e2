// Limits that the console shares with the store.
export { GuessLimiter } from './guess-limiter.ts'
