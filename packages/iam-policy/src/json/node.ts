/** A JSON value with its position in the text: `offset` of its first character, `end` after its last one. */
export type JsonNode = JsonObject | JsonArray | JsonString | JsonNumber | JsonLiteral

export interface JsonSpan {
  offset: number
  end: number
}

export interface JsonObject extends JsonSpan {
  kind: 'object'
  members: JsonMember[]
}

export interface JsonMember {
  key: JsonString
  value: JsonNode
}

export interface JsonArray extends JsonSpan {
  kind: 'array'
  items: JsonNode[]
}

export interface JsonString extends JsonSpan {
  kind: 'string'
  value: string
}

export interface JsonNumber extends JsonSpan {
  kind: 'number'
  value: number
}

export interface JsonLiteral extends JsonSpan {
  kind: 'literal'
  value: boolean | null
}

/** Returns "an array", "a text" …, for messages. */
export function kindOf(node: JsonNode): string {
  switch (node.kind) {
    case 'object':
      return 'an object'
    case 'array':
      return 'an array'
    case 'string':
      return 'a text'
    case 'number':
      return 'a number'
    case 'literal':
      return String(node.value)
  }
}
