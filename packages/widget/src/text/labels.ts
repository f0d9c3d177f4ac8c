/** Label of the connect button in each language other than English. A page shows it before it loads any other text. */
export const labels = { ar: 'ربط المحفظة' } as const
