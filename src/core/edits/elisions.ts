/** Words with which models say that code stays as it is, in the languages they answer in. */
const strong = new RegExp(
  [
    String.raw`\b(?:rest|remainder|remaining)\b.*\b(?:unchanged|same|here|code|file|as is|function|class|method|logic|implementation|above|below)\b`,
    String.raw`\b(?:existing|previous|original|other|unchanged|omitted)\s+(?:code|methods?|imports?|functions?|content|logic|implementation|fields|props|properties|lines|tests?|routes|styles|rules|members|parts?|stuff|definitions|types)\b`,
    String.raw`\b(?:remains?|stays?|is|are)\s+(?:the\s+same|unchanged|as\s+(?:is|before|above))\b`,
    String.raw`\b(?:unchanged|no\s+changes?|same\s+as\s+(?:before|above|original)|as\s+before|not\s+shown|omitted\s+for\s+brevity|snip(?:ped)?)\b`,
    '其余|其他代码|其它代码|剩余|保持不变|不变|省略|原有代码|现有代码|同上|既存|以下同様|変更なし|변경 없음|기존 코드',
    String.raw`unverändert|bestehender code|restlicher|sin cambios|código existente|resto del|inchangé|code existant|reste du|без изменений|остальн|inalterado|restante`,
  ].join('|'),
  'iu',
);

const opener =
  /^(?:\/\/+|\/\*+|\{\s*\/\*|#+|--+|;+|%+|<!--|"""|'''|\(\*|\*|REM\b|'|"|\/\/\/|@\*|\{#|\[|\(|\{\{!--)\s*/i;
const longest = 160;
/** In words. A longer note is a sentence about the program. */
const longestNote = 9;

/**
 * Whether a line stands for omitted code in an answer, such as `// ... existing code ...`. `weak`: it might be a real line, if the file has
 * it. Returns `undefined` for any other line.
 */
export function elisionIn(line: string): 'strong' | 'weak' | undefined {
  const text = line.trim();
  if (text === '' || text.length > longest) return undefined;
  const comment = opener.exec(text)?.[0] ?? '';
  const body = text.slice(comment.length);
  const startsWithDots = /^(?:\.{3,}|…)/.test(body);
  if (comment === '' && !startsWithDots) return undefined;
  // Spreads such as `...rest,` and `[...items]` are code.
  if (/^\.{3}[\w$([{'"`]/.test(body) && !/^\/|^#|^<|^--/.test(comment)) return undefined;
  const isAllComment =
    /^(?:\/|#|--|;|%|<|\*|\{\s*\/\*|"""|'''|\(\*|REM|\{#|@\*|\{\{!)/i.test(comment) || comment === '';
  if (strong.test(body)) {
    if (startsWithDots || /(?:\.{3}|…)[\s*/)\]#}>-]*$/.test(body) || /^[[(]/.test(comment)) return 'strong';
    return body.split(/\s+/).length <= longestNote ? 'weak' : undefined;
  }
  if (!startsWithDots) return undefined;
  if (/^(?:\.{3,}|…)[\s.…*/)\]#}>-]*$/.test(body)) return 'weak';
  return isAllComment ? 'strong' : undefined;
}
