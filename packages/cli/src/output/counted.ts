/** A number with its noun: 1 answer, 2 answers. */
export function counted(count: number, noun: string): string {
  return `${count} ${nounOf(count, noun)}`;
}

/** The noun of a number. */
export function nounOf(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}
