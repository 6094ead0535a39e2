/** Returns the release of an image: `2025-10-15` for `RELEASE.2025-10-15T17-29-55Z`; other tags are returned unchanged. */
export function imageRelease(image: string): string {
  const tag = /:([^/:@]+)(@.*)?$/.exec(image)?.[1] ?? ''
  return /^RELEASE\.(\d{4}-\d{2}-\d{2})/.exec(tag)?.[1] ?? tag
}
