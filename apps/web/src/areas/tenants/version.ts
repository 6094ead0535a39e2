/** The release that an image names: `RELEASE.2025-10-15T17-29-55Z` reads `2025-10-15`, other tags as they are. */
export function versionOf(image: string): string {
  const tag = /:([^/:@]+)(@.*)?$/.exec(image)?.[1] ?? ''
  return /^RELEASE\.(\d{4}-\d{2}-\d{2})/.exec(tag)?.[1] ?? tag
}
