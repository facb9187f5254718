/** What a turn asks that begins with the earlier conversation told as a transcript. */
export interface Retold {
  /** What stands below the transcript; where nothing does, what its last question was. */
  readonly ask: string;
  /** How often tools answered since then, as the transcript tells. */
  readonly rounds: number;
}

/** Headings stand in brackets on lines of their own, what was said below them on lines that begin with "> ". */
const heading = /^\[(.+)\]$/;
const end = /^\[End of the transcript\b.*\]$/;
const result = /^(?:result|error) of call /;

/** `undefined` for a text that tells no earlier conversation. */
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
