const open = '⟦';
const close = '⟧';

/** Returns `text` marked as translatable and a third longer, in words that can wrap. Placeholders, links, and edges are unchanged. */
export function pseudoText(text: string): string {
  return text.split('\n').map(pseudoLine).join('\n');
}

function pseudoLine(line: string): string {
  const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/.exec(line) ?? [];
  if (words === '') return line;
  // A link on its own is a button in a view's welcome. Its leading icon stays in front of the mark.
  const [, icon = '', label = '', target = ''] = /^\[((?:\$\([\w~-]+\) ?)?)([^\]]*)\](\(.*\))$/.exec(words) ?? [];
  if (target !== '') return `${before}[${icon}${marked(label)}]${target}${after}`;
  return before + marked(words) + after;
}

function marked(words: string): string {
  const longer = ' ~~~~~'.repeat(Math.ceil(words.length / 18));
  const linked = words.replaceAll(/\[([^\]]+)\](?=\()/g, `[${open}$1${close}]`);
  return `${open}${linked}${longer}${close}`;
}

/**
 * Returns the unmarked part of a displayed text, for example `Copy` of `⟦Save ~~~~~⟧ Copy`. Marks can be nested, and one can be truncated
 * at the end.
 */
export function unmarkedPart(text: string): string {
  let depth = 0;
  let rest = '';
  for (const character of text) {
    if (character === open) depth++;
    else if (character === close) depth = Math.max(0, depth - 1);
    else if (depth === 0) rest += character;
  }
  return rest;
}
