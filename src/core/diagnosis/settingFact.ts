/** How much of a setting's value may be shown. */
export type SettingForm =
  /** A switch, a number, one of `words`, or an object of switches and numbers under names that the default has. */
  | { readonly kind: 'plain'; readonly words?: readonly string[]; readonly default: unknown }
  /** An amount as decimal text. */
  | { readonly kind: 'amount' }
  /** Shows only whether the path is absolute. */
  | { readonly kind: 'path' }
  /** Shows only the number of entries: their names are private. */
  | { readonly kind: 'entries' }
  /** Shown only if it is one of the known models. */
  | { readonly kind: 'model'; readonly known: ReadonlySet<string> };

export type SettingFact =
  | { readonly kind: 'shown'; readonly text: string }
  | { readonly kind: 'entries'; readonly count: number }
  | { readonly kind: 'path'; readonly isAbsolute: boolean }
  /** The setting is set; its value is not shown. */
  | { readonly kind: 'hidden' };

const hidden: SettingFact = { kind: 'hidden' };

/** Returns what may be shown of any value: a settings file contains whatever somebody wrote there. */
export function settingFact(value: unknown, form: SettingForm): SettingFact {
  switch (form.kind) {
    case 'plain':
      return plainFact(value, form.words ?? [], form.default);
    case 'amount':
      return typeof value === 'string' && /^-?\d{1,12}(\.\d{1,6})?$/.test(value) ? shown(value) : hidden;
    case 'path':
      return typeof value === 'string' ? { kind: 'path', isAbsolute: /^([/\\~]|[a-z]:)/i.test(value.trim()) } : hidden;
    case 'entries':
      return typeof value === 'object' && value !== null
        ? { kind: 'entries', count: Object.keys(value).length }
        : hidden;
    case 'model':
      return typeof value === 'string' && form.known.has(value) ? shown(value) : hidden;
  }
}

function plainFact(value: unknown, words: readonly string[], usual: unknown): SettingFact {
  if (isPlain(value) || (typeof value === 'string' && words.includes(value))) return shown(JSON.stringify(value));
  if (typeof value !== 'object' || value === null || typeof usual !== 'object' || usual === null) return hidden;
  const parts = Object.keys(usual).map((name) => [name, (value as Readonly<Record<string, unknown>>)[name]] as const);
  return shown(JSON.stringify(Object.fromEntries(parts.filter(([, part]) => isPlain(part)))));
}

const isPlain = (value: unknown): boolean => typeof value === 'boolean' || typeof value === 'number';

const shown = (text: string): SettingFact => ({ kind: 'shown', text });
