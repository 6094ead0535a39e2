export type KubeJson = string | number | boolean | null | KubeJson[] | KubeJsonObject
export interface KubeJsonObject {
  [key: string]: KubeJson | undefined
}

export function isJsonObject(value: unknown): value is KubeJsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Quotes a text like Go does in messages. */
export function quoteLikeGo(text: string): string {
  return JSON.stringify(text)
}
