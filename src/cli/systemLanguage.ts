import { readFile } from 'node:fs/promises';
import path from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the language of the system as a lower-case tag such as `zh-cn`: by the environment as POSIX programs read it, else by the system's
 * settings.
 */
export function systemLanguage(
  environment: Environment,
  ofSystem = new Intl.DateTimeFormat().resolvedOptions().locale,
): string {
  const set = [environment['LC_ALL'], environment['LC_MESSAGES'], environment['LANG']].find((value) => value);
  const tag = (set ?? ofSystem)
    .replace(/[.@].*$/, '')
    .replaceAll('_', '-')
    .toLowerCase();
  return tag === '' || tag === 'c' || tag === 'posix' ? 'en' : tag;
}

/** Reads the translations for a language from the folder of the program; `undefined` for a language without any. */
export async function readTranslations(
  programs: string,
  language: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  // Readers of traditional characters are not given simplified ones.
  if (!/^zh(-hans)?(-cn|-sg|-my)?$/.test(language)) return undefined;
  const file = path.join(programs, 'l10n', 'bundle.l10n.zh-cn.json');
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Readonly<Record<string, string>>;
  } catch {
    // A copy of the program alone works in English.
    return undefined;
  }
}
