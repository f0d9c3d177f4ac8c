import { type ReactNode, useRef } from 'react'
import { searchWords } from '../text/search.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { IconButton } from './Button.tsx'
import { Icon } from './Icon.tsx'
import { searchCss } from './search.css.ts'

interface SearchFieldProps {
  readonly value: string
  readonly label: string
  readonly testid: string
  /** Further controls in the same line. */
  readonly children?: ReactNode
  readonly onTyped: (text: string) => void
}

/** Search field for the list below it; it stays visible while the list scrolls. */
export function SearchField({ value, label, testid, children, onTyped }: SearchFieldProps) {
  useStyle(searchCss)
  const t = useText(searchWords)
  const field = useRef<HTMLInputElement>(null)
  return (
    <div className="find">
      <label className="search">
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          value={value}
          placeholder={label}
          aria-label={label}
          autoComplete="off"
          spellCheck={false}
          data-focus=""
          data-testid={testid}
          onChange={({ target }) => {
            hold(target, target.value !== '')
            onTyped(target.value)
          }}
        />
        {value && (
          <IconButton
            icon="close"
            label={t('clear')}
            data-testid="search-clear"
            onClick={() => {
              if (field.current) hold(field.current, false)
              field.current?.focus()
              onTyped('')
            }}
          />
        )}
      </label>
      {children}
    </div>
  )
}

/** While a name is typed the card keeps the height that it had, so that the field stays where it is when few results are left. */
function hold(field: HTMLElement, typed: boolean): void {
  const view = field.closest<HTMLElement>('.view')
  if (!view) return
  if (!typed) view.style.minHeight = ''
  else if (!view.style.minHeight) view.style.minHeight = `${view.parentElement?.parentElement?.clientHeight}px`
}
