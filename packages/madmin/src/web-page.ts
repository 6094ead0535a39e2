/** Storage servers speak XML and JSON; a page for people comes from somebody before them, whatever status it bears. */
export function isWebPage(text: string): boolean {
  return /^\s*<(?:!doctype\s+)?html[\s>]/i.test(text)
}

/** What is told in the place of a page. @param status of the answer that it came with */
export function webPageMessage(status: number): string {
  return `The storage server answered ${status} with a web page. Is there a proxy in front of it, or another server?`
}
