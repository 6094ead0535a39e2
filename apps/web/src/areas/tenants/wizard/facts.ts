/** What the cluster says about a draft. */
export interface Facts {
  /** What is wrong with the namespace; `undefined` while it is asked. */
  namespace: string | undefined
  /** Storage classes of the namespace, with the bytes that are left of each. */
  classes: readonly { name: string; available: number }[]
  /** Memory that so many nodes have at least, in bytes; undefined while it is asked. */
  memory: number | undefined
  /** Why that is not known. */
  memoryProblem: string
}
