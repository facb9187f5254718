/** Compares in natural order: a number within an id by its value, everything else by UTF-16 units. No id comes first. */
export function compareIds(a: string, b: string): number {
  let [atA, atB] = [0, 0];
  while (atA < a.length && atB < b.length) {
    if (!isDigit(a, atA) || !isDigit(b, atB)) {
      const difference = a.charCodeAt(atA++) - b.charCodeAt(atB++);
      if (difference !== 0) return difference;
      continue;
    }
    const [endA, endB] = [numberEnd(a, atA), numberEnd(b, atB)];
    while (atA < endA - 1 && a[atA] === '0') atA++;
    while (atB < endB - 1 && b[atB] === '0') atB++;
    if (endA - atA !== endB - atB) return endA - atA - (endB - atB);
    for (; atA < endA; atA++, atB++) if (a[atA] !== b[atB]) return a.charCodeAt(atA) - b.charCodeAt(atB);
  }
  return a.length - atA - (b.length - atB);
}

function isDigit(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0x30 && unit <= 0x39;
}

function numberEnd(text: string, at: number): number {
  let end = at;
  while (isDigit(text, end)) end++;
  return end;
}
