import { type ReactNode, useMemo } from 'react'
import css from './markdown.module.css'
import { type MarkdownBlock, type MarkdownInline, parseMarkdown } from './parse-markdown.ts'

/** Markdown as formatted text. HTML is shown as it is written, and images as links, so that nothing is loaded. */
export function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text])
  return <div className={css.markdown}>{blocks.map(renderBlock)}</div>
}

function renderBlock(block: MarkdownBlock, index: number): ReactNode {
  switch (block.type) {
    case 'heading': {
      // The page and the drawer have the first two levels.
      const Heading = `h${Math.min(6, block.level + 2)}` as 'h3'
      return (
        <Heading key={index} data-level={block.level}>
          {block.parts.map(renderInline)}
        </Heading>
      )
    }
    case 'paragraph':
      return <p key={index}>{block.parts.map(renderInline)}</p>
    case 'code':
      return <pre key={index}>{block.text}</pre>
    case 'rule':
      return <hr key={index} />
    case 'quote':
      return <blockquote key={index}>{block.blocks.map(renderBlock)}</blockquote>
    case 'item':
      return (
        <div key={index} className={css.item} style={{ marginInlineStart: `${block.depth * 16}px` }}>
          <span className={css.mark}>{block.mark}</span>
          <span>{block.parts.map(renderInline)}</span>
        </div>
      )
    case 'table':
      return (
        <table key={index}>
          <tbody>
            {block.rows.map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their position
              <tr key={row}>
                {cells.map((cell, column) => {
                  const Cell = row === 0 ? 'th' : 'td'
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their position
                  return <Cell key={column}>{cell.map(renderInline)}</Cell>
                })}
              </tr>
            ))}
          </tbody>
        </table>
      )
  }
}

function renderInline(part: MarkdownInline, index: number): ReactNode {
  switch (part.type) {
    case 'text':
      return part.text
    case 'code':
      return <code key={index}>{part.text}</code>
    case 'strong':
      return <strong key={index}>{part.parts.map(renderInline)}</strong>
    case 'em':
      return <em key={index}>{part.parts.map(renderInline)}</em>
    case 'link':
      return (
        <a key={index} href={part.href} title={part.href} target="_blank" rel="noopener noreferrer nofollow">
          {part.parts.map(renderInline)}
        </a>
      )
  }
}
