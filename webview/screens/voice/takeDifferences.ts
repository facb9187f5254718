import type { VoiceTake } from '../../../src/protocol/voice';

export interface TakeDifference {
  /** `text`, or the name of a parameter. */
  readonly name: string;
  /** Empty if not set. */
  readonly values: readonly [string, string];
}

/** Returns the differences of two clips, in the order of the parameters. */
export function takeDifferences(
  first: Pick<VoiceTake, 'text' | 'settings'>,
  second: Pick<VoiceTake, 'text' | 'settings'>,
): readonly TakeDifference[] {
  const names = [...new Set([...first.settings, ...second.settings].map(({ name }) => name))];
  const valueOf = ({ settings }: Pick<VoiceTake, 'settings'>, wanted: string) =>
    settings.find(({ name }) => name === wanted)?.value ?? '';
  const all: readonly TakeDifference[] = [
    { name: 'text', values: [first.text, second.text] },
    ...names.map((name) => ({ name, values: [valueOf(first, name), valueOf(second, name)] as const })),
  ];
  return all.filter(({ values: [one, other] }) => one !== other);
}
