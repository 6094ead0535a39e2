/** Upper-case letters, digits, dashes and underscores. */
export const TIER_NAME = /^[A-Z0-9_-]+$/
