import type { ReactNode } from 'react'
import { useStyle } from '../theme/style.ts'
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
  return (
    <div className="find">
      <label className="search">
        <Icon name="search" />
        <input
          type="search"
          value={value}
          placeholder={label}
          aria-label={label}
          autoComplete="off"
          spellCheck={false}
          data-focus=""
          data-testid={testid}
          onChange={({ target }) => onTyped(target.value)}
        />
      </label>
      {children}
    </div>
  )
}
