const DIGITS = [0, 1, 2, 3, 4, 5]

interface CodeFieldProps {
  readonly label: string
  readonly code: string
  readonly wrong: boolean
  readonly busy: boolean
  /** Ids of the describing elements, the error first. */
  readonly describedBy: string
  readonly onTyped: (text: string) => void
}

/** Field of a code, drawn as six boxes. It is one input, so that pasting, filling in from a mail and screen readers work as in any other.
 * Widget and frame share it, so it reads no texts of its own. */
export function CodeField({ label, code, wrong, busy, describedBy, onTyped }: CodeFieldProps) {
  return (
    <div className={`otp${wrong ? ' wrong' : ''}${busy ? ' busy' : ''}`} dir="ltr" data-testid="wui-otp-input">
      <span aria-hidden="true">
        {DIGITS.map((place) => (
          <i key={place} className={place === Math.min(code.length, 5) ? 'next' : undefined}>
            {code[place]}
          </i>
        ))}
      </span>
      <input
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="[0-9]*"
        aria-label={label}
        aria-invalid={wrong}
        aria-describedby={describedBy}
        value={code}
        readOnly={busy}
        data-focus=""
        data-testid="otp-input"
        onChange={({ target }) => onTyped(target.value)}
      />
    </div>
  )
}
