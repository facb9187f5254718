const closing: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Whether a closing bracket of the text has no opening one in it. Brackets in texts and comments count like others. */
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
