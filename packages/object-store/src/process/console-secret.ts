/**
 * Header with which the console that started a store proves its identity: the store then trusts the client address that the
 * console sends. Without it anyone who can reach the store could forge the address.
 */
export const CONSOLE_HEADER = 'x-stowage-console'

/** Variable in which a console hands that header's value to the store's process. No setting: each start makes its own. */
export const CONSOLE_SECRET = 'STOWAGE_CONSOLE_SECRET'

/** Variable by which a console asks the store's process for audit records over the channel between them: `on`. */
export const CONSOLE_AUDIT = 'STOWAGE_CONSOLE_AUDIT'
