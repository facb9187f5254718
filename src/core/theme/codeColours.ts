import { parse } from 'jsonc-parser';
import { isObject } from '../api/isObject';

/** The code colors of a theme file: by TextMate scope, with later rules overriding earlier ones. */
export interface ThemeFile {
  /** Path of the theme that it extends, relative to its own file. */
  readonly include: string | undefined;
  readonly rules: readonly TokenRule[];
}

export interface TokenRule {
  readonly scope: string;
  readonly colour: string;
}

/**
 * Kinds of code tokens that a page distinguishes, each with its scopes, the most specific first.
 * @see https://macromates.com/manual/en/language_grammars#naming_conventions
 */
const scopesOf = {
  comment: ['comment'],
  string: ['string.quoted', 'string'],
  regexp: ['string.regexp', 'string'],
  number: ['constant.numeric', 'constant'],
  literal: ['constant.language', 'constant'],
  keyword: ['keyword.control', 'keyword', 'storage'],
  storage: ['storage.type.function', 'storage', 'keyword'],
  function: ['entity.name.function', 'support.function'],
  type: ['entity.name.type', 'entity.name.class', 'support.class', 'support.type', 'entity.name'],
  variable: ['variable.other.readwrite', 'variable'],
  property: ['support.type.property-name.json', 'support.type.property-name', 'variable.other.property', 'variable'],
  tag: ['entity.name.tag', 'entity.name'],
  attribute: ['entity.other.attribute-name', 'variable'],
  selector: ['entity.other.attribute-name.class.css', 'entity.name.tag'],
  escape: ['constant.character.escape', 'string'],
  meta: ['meta.preprocessor', 'keyword.control.directive', 'keyword'],
  inserted: ['markup.inserted'],
  deleted: ['markup.deleted'],
  heading: ['markup.heading'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type CodePart = keyof typeof scopesOf;

const colourPattern = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;

/** Returns `undefined` if the text isn't a JSON theme. Anything but plain rules is omitted. */
export function readThemeFile(text: string): ThemeFile | undefined {
  const theme = parsed(text);
  if (!isObject(theme)) return undefined;
  const { include, tokenColors } = theme;
  const rules = Array.isArray(tokenColors) ? tokenColors.flatMap(readRule) : [];
  return { include: typeof include === 'string' ? include : undefined, rules };
}

/** The parser is recursive, and no theme nests deeply. */
function parsed(text: string): unknown {
  try {
    return parse(text, [], { allowTrailingComma: true });
  } catch {
    return undefined;
  }
}

function readRule(rule: unknown): readonly TokenRule[] {
  if (!isObject(rule) || !isObject(rule['settings'])) return [];
  const { foreground } = rule['settings'];
  if (typeof foreground !== 'string' || !colourPattern.test(foreground)) return [];
  const { scope } = rule;
  const scopes: readonly unknown[] = Array.isArray(scope) ? scope : typeof scope === 'string' ? scope.split(',') : [];
  return scopes.flatMap((one) => (typeof one === 'string' ? [{ scope: one.trim(), colour: foreground }] : []));
}

/** Returns the colors of these rules by kind of token. A kind without a rule is omitted. */
export function codeColours(rules: readonly TokenRule[]): Partial<Readonly<Record<CodePart, string>>> {
  const colours = Object.entries(scopesOf).flatMap(([part, scopes]) => {
    const colour = scopes.map((scope) => colourOf(scope, rules)).find((found) => found !== undefined);
    return colour === undefined ? [] : [[part, colour] as const];
  });
  return Object.fromEntries(colours);
}

/** Selects like the editor: the rule with the longest matching scope, of equals the last. Rules with nested scopes are ignored. */
function colourOf(scope: string, rules: readonly TokenRule[]): string | undefined {
  let best: TokenRule | undefined;
  for (const rule of rules) {
    const applies = scope === rule.scope || scope.startsWith(`${rule.scope}.`);
    if (applies && rule.scope !== '' && rule.scope.length >= (best?.scope.length ?? 0)) best = rule;
  }
  return best?.colour;
}
