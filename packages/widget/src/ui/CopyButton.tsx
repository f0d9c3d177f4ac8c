import { useText } from '../text/text.tsx'
import { tokenWords } from '../text/token.ts'
import { IconButton } from './Button.tsx'

interface CopyButtonProps {
  /** Text that the button copies. */
  readonly text: string
  /** Text that was just copied; the button has a tick while it is this one. */
  readonly copied: string | null
  /** Accessible name. */
  readonly label: string
  readonly testid: string
  readonly onCopy: () => void
}

/** Button that copies a text. Its icon turns into a tick, and screen readers announce that the text was copied. */
export function CopyButton({ text, copied, label, testid, onCopy }: CopyButtonProps) {
  const t = useText(tokenWords)
  const done = copied === text
  return (
    <>
      <IconButton icon={done ? 'check' : 'copy'} label={label} data-testid={testid} data-done={done} onClick={onCopy} />
      <span className="unseen" role="status">
        {done && t('copied')}
      </span>
    </>
  )
}
