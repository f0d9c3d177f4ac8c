//! Display names of countries and states.

import { useContext, useMemo } from 'react'
import { LanguageContext } from '../text/text.tsx'

/** States of the United States, the only country where a provider depends on the state so far. Browsers have names for countries only. */
const states: Readonly<Record<string, string>> = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  DC: 'District of Columbia',
  FL: 'Florida',
  GA: 'Georgia',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  PR: 'Puerto Rico',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming'
}

/** Name of a state, or its code where the name is unknown. */
export const stateName = (country: string | null, state: string): string =>
  (country === 'US' ? states[state] : undefined) ?? state

/** Name of a country in the visitor's language, or its code. */
export function useCountryName(): (country: string) => string {
  const { code } = useContext(LanguageContext)
  return useMemo(() => {
    const names = new Intl.DisplayNames(code, { type: 'region' })
    return (country) => {
      try {
        return names.of(country) ?? country
      } catch {
        // Not a valid region code.
        return country
      }
    }
  }, [code])
}
