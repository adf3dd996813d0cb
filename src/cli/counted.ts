/** `1 rule`, `2 rules`. */
export const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`;
