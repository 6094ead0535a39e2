/** A JSON value with its position in the text: `offset` of its first character, `end` after its last one. */
export type JsonNode = JsonObjectNode | JsonArrayNode | JsonStringNode | JsonNumberNode | JsonLiteralNode

export interface JsonSpan {
  offset: number
  end: number
}

export interface JsonObjectNode extends JsonSpan {
  kind: 'object'
  members: JsonMember[]
}

export interface JsonMember {
  key: JsonStringNode
  value: JsonNode
}

export interface JsonArrayNode extends JsonSpan {
  kind: 'array'
  items: JsonNode[]
}

export interface JsonStringNode extends JsonSpan {
  kind: 'string'
  value: string
}

export interface JsonNumberNode extends JsonSpan {
  kind: 'number'
  value: number
}

export interface JsonLiteralNode extends JsonSpan {
  kind: 'literal'
  value: boolean | null
}

/** Returns "an array", "a text" …, for messages. */
export function kindText(node: JsonNode): string {
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
