const BASIC = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/

/** Formats a time as the protocol does: `20261121T115125Z`. */
export function formatAmzDate(time: Date): string {
  return time.toISOString().replace(/[-:]|\.\d{3}/g, '')
}

/** Reads `20261121T115125Z`; undefined when it is anything else. */
export function parseAmzDate(text: string): Date | undefined {
  const match = BASIC.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second] = match
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(time.getTime()) ? undefined : time
}
