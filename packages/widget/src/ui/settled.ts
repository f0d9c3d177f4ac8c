import { useEffect, useState } from 'react'

/** Time without a keystroke after which a typed text counts as whole, in milliseconds. */
const PAUSE = 700

/**
 * Fault of a typed text, once the visitor pauses or leaves the field: the beginning of a right text is often a wrong one. The second value is
 * to be called when the visitor leaves the field.
 */
export function useSettled<F>(text: string, fault: F | null): readonly [F | null, () => void] {
  const [whole, setWhole] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setWhole(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return [whole === text ? fault : null, () => setWhole(text)]
}
