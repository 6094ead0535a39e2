/** What a resource of a policy is held against: one text, or every text that begins with this one. */
export interface Target {
  readonly text: string
  readonly isPrefix: boolean
}

export const exactly = (text: string): Target => ({ text, isPrefix: false })
export const everythingIn = (text: string): Target => ({ text, isPrefix: true })
