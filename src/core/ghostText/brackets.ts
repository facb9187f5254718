const closing: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Whether the text contains a closing bracket without its opening one. Brackets in strings and comments count too. */
export function closesMoreThanItOpens(text: string): boolean {
  const open: string[] = [];
  for (const sign of text) {
    const opening = closing[sign];
    if (opening === undefined) {
      if (sign === '(' || sign === '[' || sign === '{') open.push(sign);
    } else if (open.at(-1) === opening) open.pop();
    else return true;
  }
  return false;
}
