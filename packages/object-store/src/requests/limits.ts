// Limits that the console shares with the store.
export { FairQueue, type FairQueueOptions } from './fair-queue.ts'
export { GuessLimiter } from './guess-limiter.ts'
