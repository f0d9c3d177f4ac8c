import { useDispatch, useSnapshot } from './react.tsx'

interface Copying {
  readonly text: string
  /** Text that was just copied. */
  readonly copied: string | null
  readonly onCopy: () => void
}

/** A text that a button copies, and whether it was just copied. */
export function useCopying(text: string): Copying {
  const dispatch = useDispatch()
  const copied = useSnapshot((snapshot) => snapshot.copied)
  return {
    text,
    copied,
    onCopy: () => dispatch({ feature: 'account', event: { type: 'textCopyAsked', text } })
  }
}
