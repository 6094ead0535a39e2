import { type Message, msg } from '../../../lib/text/i18n.ts'

/** A rule for bucket names, and whether a given name satisfies it. */
export interface BucketNameRule {
  text: Message
  kept: boolean
}

/**
 * The rules for bucket names, checked while the user types.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
 */
export function bucketNameRules(name: string): BucketNameRule[] {
  return [
    { text: msg('3 to 63 characters'), kept: name.length >= 3 && name.length <= 63 },
    { text: msg('Only lowercase letters, digits, hyphens and dots'), kept: /^[a-z0-9.-]+$/.test(name) },
    { text: msg('Starts and ends with a letter or digit'), kept: /^[a-z0-9]/i.test(name) && /[a-z0-9]$/i.test(name) },
    { text: msg('No two dots in a row, no hyphen next to a dot'), kept: !/\.\.|\.-|-\./.test(name) },
    { text: msg('Does not look like an IP address'), kept: !/^\d{1,3}(\.\d{1,3}){3}$/.test(name) },
  ]
}

/** Returns the rules that a name violates; none for an empty name. */
export function brokenNameRules(name: string): Message[] {
  return name === ''
    ? []
    : bucketNameRules(name)
        .filter((rule) => !rule.kept)
        .map((rule) => rule.text)
}
