/** Matches the end of a complete sentence, also within quotes or brackets. */
const ending = /[.!?:…。！？：]["'”’»)）】]*$/u;

/** Matches full-width punctuation, which needs no space after it. */
const wide = /[、。！？：；，）】]["'”’]*$/u;

const wideScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Adds the full stop of the text's script, unless the text ends in punctuation or is empty. */
export function sentence(text: string): string {
  if (text === '' || ending.test(text)) return text;
  return text + (wideScript.test(text) ? '。' : '.');
}

/** Joins sentences, with a space between them if their script uses one. Empty parts are omitted. */
export function sentences(...parts: readonly (string | undefined)[]): string {
  let text = '';
  for (const part of parts) {
    if (part === undefined || part === '') continue;
    text += text === '' || wide.test(text) ? part : ` ${part}`;
  }
  return text;
}

/** Joins a heading and the text that follows it. */
export function titled(title: string, ...details: readonly (string | undefined)[]): string {
  return sentences(sentence(title), ...details);
}

/** Joins a name and its value with the colon of the name's script. */
export function labelled(name: string, value: string): string {
  return wideScript.test(name) ? `${name}：${value}` : `${name}: ${value}`;
}
