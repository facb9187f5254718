import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Trouble } from './command.ts';

const whole = 'bundle.l10n.json';

/** Throws where a translation lacks words that the code says, or has some that nothing says any more. */
export function checkTranslations(folder: string): void {
  const said = keysOf(path.join(folder, whole));
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json') && file !== whole)) {
    const known = keysOf(path.join(folder, name));
    tell(name, 'lacks', without(said, known));
    tell(name, 'has words that nothing says:', without(known, said));
  }
}

function keysOf(file: string): ReadonlySet<string> {
  return new Set(Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object));
}

function without(all: ReadonlySet<string>, known: ReadonlySet<string>): readonly string[] {
  return [...all].filter((key) => !known.has(key));
}

function tell(name: string, what: string, keys: readonly string[]): void {
  if (keys.length > 0) throw new Trouble(`${name} ${what} ${JSON.stringify(keys, undefined, 2)}`);
}
