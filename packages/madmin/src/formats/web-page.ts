/**
 * Whether an answer is a web page. Storage servers answer in XML and JSON; a web page comes from a proxy, whatever its status.
 */
export function isWebPage(text: string): boolean {
  return /^\s*<(?:!doctype\s+)?html[\s>]/i.test(text)
}

/** The message that replaces a web page. @param status of the answer */
export function webPageMessage(status: number): string {
  return `The storage server answered ${status} with a web page. Is there a proxy in front of it, or another server?`
}
