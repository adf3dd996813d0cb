// The one matcher for every kind of act. It walks pattern and target side by side and only ever goes back to the last
// star, so a hostile pattern costs at most the product of both lengths, never an explosion.

/** Anchored: `*` is any run of characters, `?` one character, everything else itself. */
export function matchGlob(pattern: string, target: string): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let resume = 0;
  while (place < target.length) {
    if (pattern[at] === '*') {
      star = at++;
      resume = place;
    } else if (pattern[at] === '?') {
      at++;
      place += characterLength(target, place);
    } else if (at < pattern.length && pattern[at] === target[place]) {
      at++;
      place++;
    } else if (star !== -1) {
      at = star + 1;
      place = ++resume;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}

/** A character outside the basic plane takes two places, and `?` must not match half of it. */
function characterLength(text: string, place: number): number {
  return (text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1;
}
