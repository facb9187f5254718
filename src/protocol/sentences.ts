/** What ends a sentence, also within quotes or brackets. */
const ending = /[.!?:…。！？：]["'”’»)）】]*$/u;

/** What takes up the room of the space behind it. */
const wide = /[、。！？：；，）】]["'”’]*$/u;

const wideScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** With a full stop at its end, that of its script, unless something ends it. Empty stays empty. */
export function sentence(text: string): string {
  if (text === '' || ending.test(text)) return text;
  return text + (wideScript.test(text) ? '。' : '.');
}

/** Sentences one after the other, with a space between them where their script has one. What is empty is left out. */
export function sentences(...parts: readonly (string | undefined)[]): string {
  let text = '';
  for (const part of parts) {
    if (part === undefined || part === '') continue;
    text += text === '' || wide.test(text) ? part : ` ${part}`;
  }
  return text;
}

/** A heading, and what follows it, as one text. */
export function titled(title: string, ...details: readonly (string | undefined)[]): string {
  return sentences(sentence(title), ...details);
}

/** A name and what it stands for, with the colon of its script. */
export function labelled(name: string, value: string): string {
  return wideScript.test(name) ? `${name}：${value}` : `${name}: ${value}`;
}
