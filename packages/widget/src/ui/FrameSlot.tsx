import { useEffect, useRef } from 'react'

/** Slot that shows the embedded wallet's frame, and gives it the focus. */
export function FrameSlot() {
  const slot = useRef<HTMLSlotElement>(null)
  // A click into a window without focus focuses it first, and the frame takes no click on Approve just after that.
  useEffect(() => {
    const [frame] = slot.current?.assignedElements() ?? []
    if (frame instanceof HTMLElement) frame.focus({ preventScroll: true })
  }, [])
  return <slot name="w3m-frame" ref={slot} />
}
