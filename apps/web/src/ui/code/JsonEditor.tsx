import { json } from '@codemirror/lang-json'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, linter } from '@codemirror/lint'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { Decoration, EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { basicSetup } from 'codemirror'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { cx } from '../../lib/cx.ts'
import { FieldHint } from '../form/FieldHint.tsx'
import css from './JsonEditor.module.css'

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--st-code-key)' },
  { tag: tags.string, color: 'var(--st-code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--st-code-number)' },
  { tag: [tags.punctuation, tags.separator, tags.bracket], color: 'var(--st-ink-3)' },
])

/** Highlights the lines of the property `marked`. */
const markedLinesCompartment = new Compartment()
const markedLine = Decoration.line({ class: 'cm-marked' })

function markLines({ doc }: EditorState, marked: JsonEditorProps['marked']): Extension {
  if (!marked) return []
  const last = Math.min(marked.to, doc.lines)
  const lines = Array.from({ length: Math.max(0, last - marked.from + 1) }, (_, i) => doc.line(marked.from + i))
  return EditorView.decorations.of(Decoration.set(lines.map(({ from }) => markedLine.range(from))))
}

export interface JsonEditorProps {
  /** Shown above the editor; also its accessible name. */
  label: string
  /** Hides the label visually; screen readers still read it. */
  hideLabel?: boolean
  value: string
  onChange?: (text: string) => void
  /** The lines to highlight, counted from 1, both ends included. */
  marked?: { from: number; to: number } | undefined
  /** Returns the problems of the text, which are marked while the user types. */
  lint?: ((text: string) => Diagnostic[]) | undefined
  readOnly?: boolean
  /** Grows with the text instead of scrolling. */
  tall?: boolean
  hint?: ReactNode
  error?: ReactNode
}

/** An editor for JSON text. Its code is large: load it with `loadable`. */
export function JsonEditor(props: JsonEditorProps) {
  const { label, hideLabel = false, value, readOnly = false, tall = false, marked, hint, error } = props
  const frame = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef(props)
  latest.current = props
  const id = useId()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor keeps its text; later values are passed below
  useEffect(() => {
    const lint = new Compartment()
    const editor = new EditorView({
      parent: frame.current as HTMLDivElement,
      state: EditorState.create({
        doc: value,
        extensions: [
          basicSetup,
          json(),
          syntaxHighlighting(colours),
          EditorView.lineWrapping,
          EditorState.readOnly.of(readOnly),
          EditorView.contentAttributes.of({ 'aria-label': label, 'aria-describedby': id }),
          markedLinesCompartment.of([]),
          lint.of(linter((of) => latest.current.lint?.(of.state.doc.toString()) ?? [], { delay: 300 })),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange?.(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [label, readOnly])

  useEffect(() => {
    const editor = view.current
    const text = editor?.state.doc.toString()
    if (editor && text !== value) editor.dispatch({ changes: { from: 0, to: text?.length ?? 0, insert: value } })
  }, [value])

  const { from, to } = marked ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text has new positions
  useEffect(() => {
    const editor = view.current
    const lines = from === undefined || to === undefined ? undefined : { from, to }
    editor?.dispatch({ effects: markedLinesCompartment.reconfigure(markLines(editor.state, lines)) })
  }, [from, to, value, label, readOnly])

  return (
    <div>
      {!hideLabel && <div className={css.label}>{label}</div>}
      <div ref={frame} className={cx(css.frame, tall && css.tall)} />
      <FieldHint id={id} hint={hint} error={error} />
    </div>
  )
}
