import { bestLabel } from './labels';
import type { Question } from './question';
import { excerpt, keywordsOf, wordsOf } from './words';

type Field = readonly [key: string, type: string];

const isType =
  /^"[^"]*"\s*\||^(?:string|text|number|integer|int|float|bool|boolean|array|list|date|str)\b|^\.\.\.|^<.*>$|^"\.*"$|^"(?:string|number|boolean|[^"]*\|[^"]*)"$/i;

/** Returns the keys and types of an object sketched in a prompt: `{"stars": number, "mood": "good" | "bad"}`. */
function fieldsIn(text: string): readonly Field[] {
  const drawn = /\{\s*"[^{}]*\}/.exec(text)?.[0] ?? '';
  const fields = [...drawn.matchAll(/"([\w -]+)"\s*:\s*((?:"[^"]*"(?:\s*\|\s*"[^"]*")*)|[^,}\n]+)/g)].map(
    ([, key = '', type = '']): Field => [key, type.trim()],
  );
  return fields.every(([, type]) => isType.test(type)) ? fields : [];
}

/** Returns what a text says about a key, or `null`. */
function found(key: string, text: string): string | null {
  const take = (pattern: RegExp) => pattern.exec(text)?.[1]?.trim() ?? null;
  if (/product|item|object|thing|产品/i.test(key))
    return take(/\b(?:the|my|this|a|an)\s+((?:standing desk|office chair|desk lamp|monitor arm)|[a-z]+)\b/i);
  if (/wish|request|want|suggestion|愿望|建议/i.test(key))
    return take(/\b(?:wish|want|would like|please|hope)\b(?: that| for)?\s+(.+?)(?:[.!?]|$)/i);
  if (/e-?mail/i.test(key)) return take(/([\w.+-]+@[\w.-]+\.\w+)/);
  if (/name|person|customer/i.test(key))
    return take(/\b(?:my name is|I am|I'm|from|by)\s+(\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)?)/u);
  if (/summary|gist|摘要/i.test(key)) return excerpt(text, 120);
  return null;
}

function valueOf([key, type]: Field, text: string): unknown {
  const quoted = [...type.matchAll(/"([^"]*)"/g)].map(([, option = '']) => option);
  const options = quoted.length === 1 ? (quoted[0] ?? '').split('|').map((option) => option.trim()) : quoted;
  if (options.length > 1) return bestLabel(options, text);
  if (/^(?:number|integer|int|float)/i.test(type)) return Number(/-?\d+(?:\.\d+)?/.exec(text)?.[0] ?? 0);
  if (/^bool/i.test(type)) return bestLabel(['positive', 'negative'], text) === 'positive';
  if (/\[\]$|^(?:array|list)/i.test(type)) return keywordsOf(text, 4);
  return found(key, text);
}

/** Returns the object a prompt asks for, filled in from the text; `undefined` if the prompt sketches none. */
export function shaped({ system, ask, material }: Question): Record<string, unknown> | undefined {
  const drawn = [system, ask].find((text) => fieldsIn(text).length > 0);
  if (drawn === undefined) return undefined;
  const text = (drawn === system ? `${ask}\n${material}` : `${ask}\n${material}`.replace(/\{\s*"[^{}]*\}/, ' ')).trim();
  return Object.fromEntries(fieldsIn(drawn).map((field) => [field[0], valueOf(field, text)]));
}

/** Returns the object to answer with if only JSON is requested and no shape is sketched. */
export function asRecord(question: Question): Record<string, unknown> {
  return (
    shaped(question) ?? {
      question: excerpt(question.ask, 160),
      language: question.language,
      words: wordsOf(question.ask).length,
      keywords: keywordsOf(`${question.ask}\n${question.material}`, 6),
      ...(question.material === ''
        ? {}
        : { attached: { lines: question.material.split('\n').length, words: wordsOf(question.material).length } }),
    }
  );
}
