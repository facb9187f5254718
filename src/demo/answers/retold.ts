/** The question in a turn that begins with a transcript of the earlier conversation. */
export interface Retold {
  /** The text below the transcript; if there is none, the transcript's last question. */
  readonly ask: string;
  /** How many rounds of tool results the transcript contains after that question. */
  readonly rounds: number;
}

/** A heading is a line in brackets; the text below it is on lines that begin with "> ". */
const heading = /^\[(.+)\]$/;
const end = /^\[End of the transcript\b.*\]$/;
const result = /^(?:result|error) of call /;

/** Reads the question of a turn that begins with a transcript; `undefined` for any other text. */
export function readRetold(text: string): Retold | undefined {
  const lines = text.split('\n');
  const endsAt = lines.findIndex((line) => end.test(line));
  if (endsAt < 0) return undefined;
  const below = lines
    .slice(endsAt + 1)
    .join('\n')
    .trim();
  if (below !== '') return { ask: below, rounds: 0 };
  let section = '';
  let said: string[] = [];
  let rounds = 0;
  for (const line of lines.slice(0, endsAt)) {
    const [, next] = heading.exec(line) ?? [];
    if (next !== undefined) {
      if (next === 'user') [said, rounds] = [[], 0];
      else if (result.test(next) && !result.test(section)) rounds += 1;
      section = next;
    } else if (section === 'user' && line.startsWith('> ')) said.push(line.slice(2));
  }
  return { ask: said.join('\n'), rounds };
}
