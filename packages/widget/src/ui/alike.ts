/** Whether a row's props are equal by content. Each list from the core is a new array, and most of its rows are unchanged. */
export function alike<Props extends object>(before: Props, after: Props): boolean {
  return JSON.stringify(before) === JSON.stringify(after)
}
