/** A rule for bucket names, and whether a name keeps it. */
export interface NameRule {
  text: string
  kept: boolean
}

/**
 * The rules for bucket names, told while one types.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
 */
export function nameRules(name: string): NameRule[] {
  return [
    { text: '3 to 63 characters', kept: name.length >= 3 && name.length <= 63 },
    { text: 'Lowercase letters, digits, hyphens and dots', kept: /^[a-z0-9.-]+$/.test(name) },
    { text: 'A letter or digit at each end', kept: /^[a-z0-9]/i.test(name) && /[a-z0-9]$/i.test(name) },
    { text: 'No two dots side by side, no hyphen beside a dot', kept: !/\.\.|\.-|-\./.test(name) },
    { text: 'Not like an IP address', kept: !/^\d{1,3}(\.\d{1,3}){3}$/.test(name) },
  ]
}

/** The rules that a name breaks; none for an empty one, which is only not typed yet. */
export function brokenRules(name: string): string[] {
  return name === ''
    ? []
    : nameRules(name)
        .filter((rule) => !rule.kept)
        .map((rule) => rule.text)
}
